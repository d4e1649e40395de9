import { interruptedBy, interruptedText } from '@kubeadmit/cel/unstable-internal';
import { describe, expect, test } from 'vitest';
import { applyPolicies, compilePolicy, type PolicyResponse } from '../src/index.ts';
import {
  applyPoliciesInSteps,
  lateMessage,
  type RequestSetting,
  readUser,
} from '../src/internal.ts';

const match = { any: [{ resources: { kinds: ['ConfigMap'] } }] };
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
};
const mutating = policy('mutating', [
  { name: 'one', match, mutate: { patchStrategicMerge: { metadata: { labels: { a: 'b' } } } } },
  { name: 'two', match, mutate: { patchStrategicMerge: { metadata: { labels: { c: 'd' } } } } },
]);
const validating = policy('validating', [
  { name: 'label', match, validate: { pattern: { metadata: { labels: { a: 'b' } } } } },
  { name: 'other', match, validate: { pattern: { metadata: { labels: { a: 'x' } } } } },
  {
    name: 'pods',
    match: { any: [{ resources: { kinds: ['Pod'] } }] },
    validate: { pattern: { metadata: { labels: { a: 'b' } } } },
  },
]);
const policies = [mutating, validating];

function policy(name: string, rules: readonly object[]): ReturnType<typeof compilePolicy> {
  return compilePolicy({
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name },
    spec: { rules },
  } as never);
}

function setting(): RequestSetting {
  const { user } = readUser({ userInfo: { username: 'alice' } });
  return {
    operation: 'CREATE',
    sources: {},
    facts: { operation: 'CREATE', subresource: '', namespaceLabels: {}, user },
    exceptions: [],
    isCluster: true,
    now: 0,
  } as unknown as RequestSetting;
}

function said(responses: readonly PolicyResponse[]): readonly string[] {
  return responses.flatMap(({ results }) =>
    results.map(({ rule, status, message }) => `${rule} ${status}: ${message}`),
  );
}

test('applies every rule without a host', () => {
  const responses = applyPolicies(policies, object, setting);
  const results = responses.flatMap((response) => response.results);
  expect(results.map(({ rule, status }) => `${rule} ${status}`)).toEqual([
    'one pass',
    'two pass',
    'label pass',
    'other fail',
  ]);
  expect(responses.at(-1)?.object).toMatchObject({ metadata: { labels: { a: 'b' } } });
});

test('pauses before each rule that matches the object', () => {
  const steps = applyPoliciesInSteps(policies, object, setting);
  let count = 0;
  while (steps.next(false).done !== true) count++;
  expect(count).toBe(4);
});

test('a rule that is not evaluated in time is an error and changes nothing', () => {
  const steps = applyPoliciesInSteps(policies, object, setting);
  steps.next(false);
  // The first rule in time, the others late.
  let step = steps.next(false);
  while (step.done !== true) step = steps.next(true);
  expect(said(step.value)).toEqual([
    expect.stringContaining('one pass: '),
    ...['two', 'label', 'other'].map((rule) => `${rule} error: ${lateMessage}`),
  ]);
  expect(step.value.at(-1)?.object).toMatchObject({ metadata: { labels: { a: 'b' } } });
});

describe('a rule that is interrupted is an error', () => {
  const list = '`[1, 2, 3]`';
  const element = {
    list,
    deny: { conditions: { any: [{ key: 'a', operator: 'Equals', value: 'b' }] } },
  };
  const preconditions = { all: [{ key: '{{ element }}', operator: 'Equals', value: 1 }] };
  const patch = '- {op: add, path: /data, value: {}}';

  test.each<[string, object]>([
    ['in a loop', { validate: { message: 'm', foreach: [element] } }],
    [
      'in preconditions of a loop',
      { validate: { message: 'm', foreach: [{ ...element, preconditions }] } },
    ],
    ['in its own preconditions', { preconditions, validate: { message: 'm', deny: {} } }],
    ['in a variable', { validate: { message: 'm', pattern: { a: '{{ request.operation }}' } } }],
    ['in a loop of patches', { mutate: { foreach: [{ list, patchesJson6902: patch }] } }],
  ])('%s', (_name, rule) => {
    const interrupted = policy('interrupted', [{ name: 'r', match, ...rule }]);
    let asked = 0;
    const responses = interruptedBy(
      () => ++asked > 1,
      () => applyPolicies([interrupted], object, setting),
    );
    expect(responses.flatMap(({ results }) => results)).toEqual([
      expect.objectContaining({ status: 'error', message: interruptedText }),
    ]);
    expect(responses[0]?.object).toEqual(object);
  });
});

// A tenant creates the object; while its lists are merged, the webhook answers no other request.
test('ends the merge of long lists when the time is up', () => {
  const containers = Array.from({ length: 30_000 }, (_, i) => ({ name: `c${i}`, image: 'a' }));
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers } };
  const patch = { spec: { containers: [{ '(name)': '*', tty: true }] } };
  const [kinds, mutate] = [['Pod'], { patchStrategicMerge: patch }];
  const long = policy('long', [
    { name: 'one', match: { any: [{ resources: { kinds } }] }, mutate },
  ]);
  let checks = 0;
  const responses = interruptedBy(
    () => ++checks > 100,
    () => applyPolicies([long], pod, setting),
  );
  expect(said(responses)).toEqual([`one error: ${interruptedText}`]);
}, 30_000);
