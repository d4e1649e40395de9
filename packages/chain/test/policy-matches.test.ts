import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { loadChain } from '../src/chain/chain.ts';
import { policyMatches } from '../src/scan/policy-matches.ts';
import { images } from './images.ts';

const schemas = await loadSchemas();
const metadata = { name: 'p' };
const apiGroups = [''];
const onPods = { apiGroups, apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const match = { any: [{ resources: { kinds: ['Pod'] } }] };
const attestors = [{ entries: [{ keys: { publicKeys: 'k8s://x/y' } }] }];
const imageReferences = ['registry.local/*'];
const verifyImages = [{ failureAction: 'Enforce', imageReferences, attestors }];

const inCel = (kind: string, spec: object): KubernetesObject => ({
  apiVersion: 'policies.kyverno.io/v1',
  kind,
  metadata,
  spec: { matchConstraints: { resourceRules: [onPods] }, ...spec },
});
const classic = (rule: object): KubernetesObject => ({
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata,
  spec: { rules: [{ name: 'r', match, ...rule }] },
});

const validations = [{ expression: 'true' }];
const deny = { failureAction: 'Enforce', message: 'no', deny: {} };
const patchStrategicMerge = { metadata: { labels: { a: 'b' } } };
const about = classic({ verifyImages });
const ofImages = inCel('ImageValidatingPolicy', { validations });
const both = ['mutate', 'validate'];

test.each([
  ['a rule that validates', classic({ validate: deny }), images, ['validate']],
  ['a rule that mutates', classic({ mutate: { patchStrategicMerge } }), images, ['mutate']],
  ['a rule that verifies images', about, images, both],
  ['no rule that verifies images without a verifier', about, undefined, []],
  ['a ValidatingPolicy', inCel('ValidatingPolicy', { validations }), images, ['validate']],
  ['no GeneratingPolicy', inCel('GeneratingPolicy', { generate: [] }), images, []],
  ['an ImageValidatingPolicy', ofImages, images, both],
  ['no ImageValidatingPolicy without a verifier', ofImages, undefined, []],
] as const)('webhooks that evaluate %s', async (_, policy, verifier, steps) => {
  const given = { resources: [policy], schemas, images: verifier };
  const chain = await loadChain({ ...given, clock: () => 0 });
  const matches = await policyMatches(chain, 'effect');
  expect(matches.map(({ step }) => step).sort()).toEqual(steps);
  for (const { failurePolicy, rules } of matches) {
    expect(failurePolicy).toBe('Fail');
    const resources = rules.flatMap((rule) => rule.resources);
    expect(resources).toEqual(expect.arrayContaining(['pods', 'deployments']));
  }
});
