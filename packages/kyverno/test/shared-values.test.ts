import type { JsonObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { applyPolicies, compilePolicy } from '../src/index.ts';
import { answerSubstitute, type RequestSetting } from '../src/internal.ts';
import { unknownUser } from '../src/match/subject.ts';

test('a value stays as it was when a later variable sorts it in place', () => {
  const context = { l: [{ n: 2 }, { n: 1 }] };
  const document = { a: '{{ l }}', b: '{{ sort_by(l, &n) }}', c: '{{ l }}' };
  expect(answerSubstitute({ context, document })).toEqual({
    result: { a: context.l, b: [{ n: 1 }, { n: 2 }], c: [{ n: 1 }, { n: 2 }] },
  });
  expect(context.l[0]).toEqual({ n: 2 });
});

const setting: RequestSetting = {
  operation: 'CREATE',
  facts: { subresource: '', operation: 'CREATE', namespaceLabels: {}, user: unknownUser },
  sources: {},
  exceptions: [],
  isCluster: false,
};

function policyOf(name: string, rule: object): ReturnType<typeof compilePolicy> {
  const match = { any: [{ resources: { kinds: ['Pod'] } }] };
  const rules = [{ name: 'r', match, ...rule }];
  return compilePolicy({ kind: 'ClusterPolicy', metadata: { name }, spec: { rules } });
}

test.each([false, true])('policies after a mutation see its result (cluster: %s)', (isCluster) => {
  const pod: JsonObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', labels: { team: 'x' } },
    spec: { priority: 5, containers: [{ name: 'c', image: 'nginx:1' }] },
  };
  const before = structuredClone(pod);
  const image = (registry: string): object => ({
    validate: {
      message: '{{ images.containers.c.registry }}, {{ request.object.spec.priority }}',
      deny: {
        conditions: {
          all: [
            { key: '{{ images.containers.c.registry }}', operator: 'Equals', value: registry },
            { key: '{{ request.object.spec.priority }}', operator: 'Equals', value: 5 },
          ],
        },
      },
    },
  });
  const policies = [
    policyOf('first', image('docker.io')),
    policyOf('pattern', { validate: { message: 'm', pattern: { spec: { priority: 5 } } } }),
    policyOf('move', {
      mutate: {
        patchesJson6902: '[{"op":"replace","path":"/spec/containers/0/image","value":"r.io/a"}]',
      },
    }),
    policyOf('second', image('r.io')),
  ];
  const responses = applyPolicies(policies, pod, () => ({ ...setting, isCluster }));
  expect(
    responses.map(({ policy, results }) => [policy.name, results[0]?.status, results[0]?.message]),
  ).toEqual([
    ['move', 'pass', 'mutated Pod/a'],
    ['first', 'pass', "validation rule 'r' passed."],
    ['pattern', 'pass', "validation rule 'r' passed."],
    ['second', 'fail', 'r.io, 5'],
  ]);
  expect(pod).toEqual(before);
});
