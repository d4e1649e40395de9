import type { JsonObject } from '@kubeadmit/apimachinery';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { validatePolicyObject } from '../src/index.ts';
import type { PolicyVerdict } from '../src/validation.ts';

interface Recorded {
  readonly case: { readonly policy: JsonObject };
  readonly answer: { readonly warnings?: readonly string[]; readonly error?: string };
}

function recorded(): readonly Recorded[] {
  return readLines(new URL('cases/policies.ndjson', import.meta.url));
}

function validate(rule: object, spec: object = {}, kind = 'ClusterPolicy'): PolicyVerdict {
  const match = { any: [{ resources: { kinds: ['Pod'] } }] };
  const rules = [{ name: 'r', match, validate: { deny: {} }, ...rule }];
  return validatePolicyObject({
    apiVersion: 'kyverno.io/v1',
    kind,
    metadata: { name: 'p' },
    spec: { ...spec, rules },
  });
}

describe('the validation of policies', () => {
  test('has the same message as Kyverno', () => {
    for (const { case: given, answer } of recorded()) {
      const { warnings, error } = validatePolicyObject(given.policy);
      expect({ warnings, error }, JSON.stringify(given)).toEqual({
        warnings: answer.warnings ?? [],
        error: answer.error ?? '',
      });
    }
  });

  test('rejects invalid times, as Kubernetes does', () => {
    const rules = [{ name: 'r', match: { any: [{ resources: { kinds: ['Pod'] } }] } }];
    const metadata = { name: 'p', creationTimestamp: 5 };
    const policy = {
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata,
      spec: { rules },
    };
    const { error, problems } = validatePolicyObject(policy);
    expect(error).toBe(
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    );
    expect(problems[0]?.path).toEqual(['metadata', 'creationTimestamp']);
  });

  test('lists the valid operators', () => {
    const conditions = [{ key: 'a', operator: 'Is', value: 'a' }];
    const { error, problems } = validate({ validate: { deny: { conditions } } });
    expect(error).toContain('valid values: ["Equal" "Equals" "NotEqual"');
    const path = ['spec', 'rules', 0, 'validate', 'deny', 'conditions', 0, 'operator'];
    expect(problems[0]?.path).toEqual(path);
  });

  test.each<[string, object, object, readonly (string | number)[]]>([
    ['a value of a wrong type', { name: 5 }, {}, ['spec', 'rules', 0, 'name']],
    [
      'one under a name in capitals',
      { SKIPBACKGROUNDREQUESTS: 5 },
      {},
      ['spec', 'rules', 0, 'SKIPBACKGROUNDREQUESTS'],
    ],
    [
      'one inside of what a type reads itself',
      { preconditions: { all: [{ key: 'a', operator: 5 }] } },
      {},
      ['spec', 'rules', 0, 'preconditions', 'all', 0, 'operator'],
    ],
    ['two operations', { mutate: { patchesJson6902: 'x' } }, {}, ['spec', 'rules', 0]],
    [
      'a filter with name and names',
      { match: { any: [{ resources: { name: 'a', names: ['b'], kinds: ['Pod'] } }] } },
      {},
      ['spec', 'rules', 0, 'match', 'any', 0],
    ],
    ['users in background', { match: { roles: ['a:b'] } }, {}, ['spec', 'background']],
    [
      'a timeout that is too long',
      {},
      { webhookTimeoutSeconds: 31 },
      ['spec', 'webhookTimeoutSeconds'],
    ],
  ])('knows the place of %s', (_name, rule, spec, path) => {
    expect(validate(rule, spec).problems[0]?.path).toEqual(path);
  });

  test.each<[string, unknown]>([
    ['no spec', undefined],
    ['a spec that is a text', 'x'],
    ['rules that are a map', { rules: {} }],
    ['a rule that is null', { rules: [null] }],
    ['keys of all objects', { rules: [{ name: 'r', constructor: 1, match: { toString: 1 } }] }],
    ['patterns nested deep', { rules: [{ name: 'r', match: {}, validate: { pattern: deep() } }] }],
  ])('never throws: %s', (_name, spec) => {
    const verdict = validatePolicyObject({ kind: 'Policy', metadata: { name: 'p' }, spec });
    expect(typeof verdict.error).toBe('string');
  });

  test('takes __proto__ for an ordinary key', () => {
    const source = '{"kind":"Policy","__proto__":{"a":1},"spec":{"rules":[{"__proto__":{}}]}}';
    validatePolicyObject(JSON.parse(source) as JsonObject);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });
});

function deep(): object {
  let pattern: object = {};
  for (let level = 0; level < 1000; level++) pattern = { a: pattern };
  return pattern;
}
