import { describe, expect, test } from 'vitest';
import { webhookAnnotations } from '../src/review/audit-keys.ts';
import { answerMilliseconds } from '../src/review/deadline.ts';
import { webhookDenial } from '../src/review/denial.ts';
import { isTooDeep } from '../src/review/depth.ts';

const long = 'p'.repeat(60);

describe('audit annotations get keys that are valid for webhooks', () => {
  test.each([
    ['a policy and a key', { 'policy/key': '1' }, { 'policy.key': '1' }],
    ['a policy whose name is too long', { [`${long}/key`]: '1' }, { key: '1' }],
    [
      'two policies whose names are too long',
      { [`${long}/key`]: '1', [`${long}q/key`]: '2' },
      { key: '1', '2.key': '2' },
    ],
    [
      'long twins',
      { [`a/${'k'.repeat(63)}`]: '1', [`b/${'k'.repeat(63)}`]: '2' },
      { ['k'.repeat(63)]: '1', [`2.${'k'.repeat(61)}`]: '2' },
    ],
    [
      'failed validations',
      { 'validation.policy.admission.k8s.io/validation_failure': '[]' },
      { validation_failure: '[]' },
    ],
    ['a policy called __proto__', { '__proto__x/key': '1' }, { '__proto__x.key': '1' }],
  ])('%s', (_, given, expected) => {
    expect(webhookAnnotations(given)).toEqual(expected);
  });
});

describe('a denial omits the prefix that kube-apiserver adds', () => {
  const status = { metadata: {}, status: 'Failure', code: 422 } as const;
  test.each([
    ['pods "web" is forbidden: no', { kind: 'pods', name: 'web' }, 'no'],
    [
      'deployments.apps "web" is forbidden: no',
      { kind: 'deployments', group: 'apps', name: 'web' },
      'no',
    ],
    [
      'pods "other" is forbidden: no',
      { kind: 'pods', name: 'web' },
      'pods "other" is forbidden: no',
    ],
    ['Internal error occurred: no', {}, 'Internal error occurred: no'],
  ])('%s', (message, details, expected) => {
    expect(webhookDenial({ ...status, message, details }).message).toBe(expected);
  });
});

describe('answers within the timeout of the URL', () => {
  test.each([
    ['10s', 9500],
    ['1s', 800],
    ['500ms', 400],
    ['1m', 29_500],
    [undefined, 9500],
    ['soon', 9500],
  ])('%j', (timeout, milliseconds) => {
    expect(answerMilliseconds(timeout)).toBe(milliseconds);
  });
});

describe('JSON is too deep beyond 10,000 levels', () => {
  test.each([
    ['[', 10_000, false],
    ['[', 10_001, true],
    ['{"a":', 10_001, true],
    ['"[\\"[[",', 10_001, false],
    ['[],', 10_001, false],
  ])('%s times %d: %s', (text, times, expected) => {
    expect(isTooDeep(Buffer.from(text.repeat(times)))).toBe(expected);
  });
});
