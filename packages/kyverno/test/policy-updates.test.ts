import { describe, expect, test } from 'vitest';
import { validatePolicyObject } from '../src/index.ts';
import { clusterScopes } from '../src/internal.ts';

const generate = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'c',
  namespace: 'n',
  synchronize: true,
  data: { data: { a: 'b' } },
};

function policy(change: object, match: object = { kinds: ['Namespace'] }): Record<string, unknown> {
  const rule = {
    name: 'r',
    match: { any: [{ resources: match }] },
    generate: { ...generate, ...change },
  };
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'p' },
    spec: { background: false, rules: [rule] },
  };
}

const immutable = 'changes of immutable fields of a rule spec in a generate rule is disallowed';
const stale =
  'no synchronization will be performed to the old target resource upon policy updates: changes in the generate rule pattern could result in stale targets';
const secrets = { kinds: ['Secret'] };

test.each<[string, Record<string, unknown>, Record<string, unknown>, string, string | undefined]>([
  ['other data', policy({}), policy({ data: { data: {} } }), '', undefined],
  ['no synchronization', policy({}), policy({ synchronize: false }), '', undefined],
  ['another name', policy({}), policy({ name: 'd' }), '', stale],
  ['another match while objects are synchronized', policy({}), policy({}, secrets), immutable, ''],
  [
    'another match while none are',
    policy({ synchronize: false }),
    policy({ synchronize: false }, secrets),
    '',
    undefined,
  ],
])('an update to %s', (_, old, updated, error, warning) => {
  const verdict = validatePolicyObject(updated, clusterScopes, old);
  expect(verdict.error).toBe(error);
  if (warning === undefined) expect(verdict.warnings.join()).not.toContain('no synchronization');
  else expect(verdict.warnings.join()).toContain(warning);
});

describe('a policy that Kyverno refuses in a cluster and its CLI accepts', () => {
  const validate = { pattern: { metadata: { name: '?*' } }, failureAction: 'Audit' };
  const preconditions = { celPreconditions: [{ name: 'a', expression: 'true' }] };

  test.each<[string, object, string]>([
    [
      'scans a subresource',
      { match: { any: [{ resources: { kinds: ['Pod/scale'] } }] }, validate },
      'path: spec.rules[0].match.any[0].kinds: background scan enabled with subresource Pod/scale',
    ],
    [
      'generates with preconditions in CEL',
      { match: { any: [{ resources: { kinds: ['Secret'] } }] }, generate, ...preconditions },
      'path: spec.rules[0].generate..: celPrecondition can only be used with validate.cel',
    ],
  ])('%s', (_, rule, error) => {
    const source = {
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata: { name: 'p' },
      spec: { rules: [{ name: 'r', ...rule }] },
    };
    expect(validatePolicyObject(source, clusterScopes).error).toBe(error);
    expect(validatePolicyObject(source).error).toBe('');
  });
});
