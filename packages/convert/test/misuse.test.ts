import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { convertPolicy } from '../src/index.ts';

const schemas = await loadSchemas();

test.each<[unknown, string]>([
  [undefined, 'got undefined'],
  [[], 'got a list'],
  [{}, 'got undefined undefined'],
  [{ apiVersion: 'v1', kind: 'Pod' }, 'got v1 Pod'],
])('what is no policy has no conversion: %j', (given, problem) => {
  const expected = new TypeError(
    `convertPolicy: expected a policy of Kyverno or a constraint, ${problem}`,
  );
  expect(() => convertPolicy(given as never, { schemas })).toThrow(expected);
});

const kyverno = { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', spec: { rules: [] } };

test.each<[string, () => unknown, string]>([
  [
    'no options',
    () => convertPolicy(kyverno, undefined as never),
    'convertPolicy: expected options as an object, got undefined',
  ],
  [
    'the option of the program',
    () => convertPolicy(kyverno, { schemas, to: 'kyverno' } as never),
    'convertPolicy: unknown option `to` (expected one of schemas, target, isIdiomatic, related)',
  ],
  [
    'another target',
    () => convertPolicy(kyverno, { schemas, target: 'Kyverno' } as never),
    'convertPolicy: `target` must be one of "admission", "kyverno", got the string "Kyverno"',
  ],
  [
    'promised schemas',
    () => convertPolicy(kyverno, { schemas: loadSchemas() } as never),
    'convertPolicy: expected schemas from `await loadSchemas()`, got a Promise (await it)',
  ],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(new TypeError(message));
});
