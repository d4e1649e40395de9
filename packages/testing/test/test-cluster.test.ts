import { describe, expect, test } from 'vitest';
import { TestCluster } from '../src/index.ts';

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: short-names}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "object.metadata.name.size() < 4", message: too long}]
`;

function named(name: string): { readonly object: string } {
  return { object: `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}` };
}

const cluster = await TestCluster.load({ resources: [policy], bindings: 'auto' });

test('an unknown kind is an error, whatever is expected', () => {
  const object = '{apiVersion: v1, kind: ConfigMp, metadata: {name: a}}';
  expect(() => cluster.judge({ object }, 'not matched')).toThrow(
    'object:1:24: no matches for kind "ConfigMp" in version "v1" (did you mean `ConfigMap`?)',
  );
});

test('an object that the server rejects has a refusal', () => {
  const object = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dat: {}}';
  const { refusal, problems } = cluster.judge({ object }, 'invalid');
  expect(refusal).toContain('unknown field "dat"');
  expect(problems).toEqual([]);
});

describe('an expectation', () => {
  test.each([
    { name: 'a', expected: 'allowed', problems: [] },
    { name: 'a', expected: { policy: 'short-names', message: undefined }, problems: [] },
    { name: 'a', expected: { verdict: ['allowed', 'warned'] }, problems: [] },
    { name: 'longer', expected: { message: { contains: 'too long' }, code: 422 }, problems: [] },
    { name: 'longer', expected: { verdict: 'denied', validations: 0 }, problems: [] },
    { name: 'a', expected: 'denied', problems: ['expected denied, got allowed'] },
    {
      name: 'longer',
      expected: { verdict: 'denied', code: 403 },
      problems: ['expected the code 403, got 422'],
    },
  ])('$expected of `$name`', ({ name, expected, problems }) => {
    expect(cluster.judge(named(name), expected).problems).toEqual(problems);
  });

  // Without this check, an invalid expectation would pass.
  test.each([
    ['nothing', undefined, '`expect` must be a string or an object, not undefined'],
    ['null', null, '`expect` must be a string or an object, not empty'],
    ['a number', 5, '`expect` must be a string or an object, not 5'],
    ['a list', [], '`expect` must be a string or an object, not a list'],
    ['an object without members', {}, '`expect` must not be empty'],
    [
      'a misspelt verdict',
      'alowed',
      '`expect` must be one of `allowed`, `denied`, `warned`, `audited`, `mutated`, `not matched`, `invalid`, `error` (did you mean `allowed`?)',
    ],
    [
      'a misspelt member',
      { verdict: 'allowed', mesage: 'x' },
      'unknown field "expect.mesage" (did you mean `message`?)',
    ],
    [
      'a member of another type',
      { code: '422' },
      '`expect.code` must be a whole number, not the string "422"',
    ],
    ['a cost', { maxCost: 0 }, '`expect.maxCost` is only supported by `kubeadmit test`'],
    ['a snapshot', { snapshot: true }, '`expect.snapshot` is only supported by `kubeadmit test`'],
    [
      'a whole object',
      { wholeObject: 'x.yaml' },
      '`expect.wholeObject` is only supported by `kubeadmit test`',
    ],
  ])('that is %s is refused', (_, expected, message) => {
    expect(() => cluster.judge(named('a'), expected)).toThrow(new Error(message));
  });
});
