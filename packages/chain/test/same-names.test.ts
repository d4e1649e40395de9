import { readManifests, Source } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { loadChain, passRequest } from '../src/index.ts';

const schemas = await loadSchemas();

/** A Policy whose rule always ends in an error, because the variable does not exist. */
function policy(namespace: string, failurePolicy: string): string {
  return `
apiVersion: kyverno.io/v1
kind: Policy
metadata: {name: same, namespace: ${namespace}}
spec:
  failurePolicy: ${failurePolicy}
  rules:
  - name: fails
    match: {any: [{resources: {kinds: [ConfigMap]}}]}
    validate:
      failureAction: Enforce
      message: no
      deny: {conditions: {any: [{key: "{{ request.object.missing }}", operator: Equals, value: a}]}}
`;
}

test.each([
  ['relaxed', 'ignore', true],
  ['strict', 'error', false],
])(
  'the policy of namespace %s decides about its own errors',
  async (namespace, verdict, allowed) => {
    const text = [policy('relaxed', 'Ignore'), policy('strict', 'Fail')].join('---');
    const { manifests } = readManifests(new Source('policies.yaml', text));
    const resources = manifests.map(({ object }) => object);
    const chain = await loadChain({ resources, schemas, clock: () => 0 });
    const passage = passRequest(chain, {
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      namespace,
      name: 'a',
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } },
    });
    expect(passage.findings.map((each) => each.verdict)).toEqual([verdict]);
    expect(passage.allowed).toBe(allowed);
  },
);
