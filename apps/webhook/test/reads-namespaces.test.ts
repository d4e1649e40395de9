import { loadChain } from '@kubeadmit/chain';
import { readManifests, Source } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';

import { readsNamespaces } from '../src/policies/reads-namespaces.ts';

const schemas = await loadSchemas();

function native(expression: string, selector: string): string {
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}
    ${selector}
  validations: [{expression: "${expression}"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: a}
spec: {policyName: a, validationActions: [Deny]}
`;
}

function kyverno(resources: string): string {
  return `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: a}
spec:
  rules:
  - name: a
    match: {any: [{resources: {kinds: [Pod]${resources}}}]}
    validate: {message: no, pattern: {metadata: {name: a}}}
`;
}

const byName = 'namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}';
const byLabel = 'namespaceSelector: {matchLabels: {env: prod}}';

test.each([
  ['a policy without a selector', native('true', ''), false],
  ['a policy that selects a namespace by its name', native('true', byName), false],
  ['a policy that selects namespaces by a label', native('true', byLabel), true],
  ['an expression that names `namespaceObject`', native('has(namespaceObject.spec)', ''), true],
  ['a Kyverno rule without a selector', kyverno(''), false],
  ['a Kyverno rule that selects namespaces by a label', kyverno(`, ${byLabel}`), true],
])('%s', async (_, text, expected) => {
  const { manifests } = readManifests(new Source('policies.yaml', text));
  const resources = manifests.map(({ object }) => object);
  const chain = await loadChain({ resources, schemas, clock: () => Date.now() });
  expect(chain.cluster.errors).toEqual([]);
  expect(readsNamespaces(chain)).toBe(expected);
});
