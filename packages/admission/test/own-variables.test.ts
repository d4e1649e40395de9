import { expect, test } from 'vitest';
import { admit, prepareCluster } from '../src/index.ts';
import { replicaLimit } from './examples.ts';

const { policy: whole, binding } = replicaLimit(1);
const { paramKind: _, ...spec } = whole.spec;
const request = {
  operation: 'CREATE',
  kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  resource: { group: 'apps', version: 'v1', resource: 'deployments' },
  namespace: 'shop',
  name: 'web',
  object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: {} },
} as const;

// Of two variables of one name the later is read, also where it names the earlier. kube-apiserver 1.37.1 runs out of
// its stack and ends, so there is no answer to record.
test.each([
  [
    'itself',
    [
      ['a', '1'],
      ['a', 'variables.a + 1'],
    ],
  ],
  [
    'itself by another',
    [
      ['a', '1'],
      ['b', 'variables.a'],
      ['a', 'variables.b'],
    ],
  ],
] as const)('a variable that needs %s is an error', async (_, variables) => {
  const policy = {
    ...whole,
    spec: {
      ...spec,
      variables: variables.map(([name, expression]) => ({ name, expression })),
      validations: [{ expression: 'variables.a == 1' }],
    },
  };
  const cluster = await prepareCluster({ resources: [policy, binding] });
  const outcome = admit(cluster, request);
  expect(outcome.failure).toBeUndefined();
  const { response } = outcome as { readonly response: { readonly status?: { message: string } } };
  expect(response.status?.message).toContain('"a" fails to evaluate: it refers to itself');
});
