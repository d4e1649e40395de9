import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { convertPolicy, findDifferences } from '../src/index.ts';

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
const clock = (): number => 0;

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

// A search that makes no requests finds no difference.
test.each<[string, object, string]>([
  [
    'a slip',
    { old: [], new: [], schemas, clock, serach: 50 },
    'findDifferences: unknown option `serach` (did you mean `search`?)',
  ],
  [
    'no number',
    { old: [], new: [], schemas, clock, search: Number.NaN },
    'findDifferences: `search` must be a number, got the number NaN',
  ],
  [
    'a text for a number',
    { old: [], new: [], schemas, clock, search: '50' },
    'findDifferences: `search` must be a number, got the string "50"',
  ],
  ['one side', { old: [], schemas, clock }, 'findDifferences: `new` is undefined'],
  ['no clock', { old: [], new: [], schemas }, 'findDifferences: `clock` is undefined'],
  [
    'no schemas',
    { old: [], new: [], clock },
    'findDifferences: expected schemas from `await loadSchemas()`, got undefined',
  ],
])('findDifferences refuses %s', async (_name, options, message) => {
  await expect(findDifferences(options as never)).rejects.toThrow(new TypeError(message));
});
