import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { convertPolicy, findDifferences } from '../src/index.ts';

const schemas = await loadSchemas();

test.each<[unknown, string]>([
  [undefined, 'not undefined'],
  [[], 'not a list'],
  [{}, 'not undefined undefined'],
  [{ apiVersion: 'v1', kind: 'Pod' }, 'not v1 Pod'],
])('what is no policy has no conversion: %j', (given, problem) => {
  const expected = new TypeError(
    `convertPolicy takes a policy of Kyverno or a constraint, ${problem}`,
  );
  expect(() => convertPolicy(given as never, { schemas })).toThrow(expected);
});

const kyverno = { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', spec: { rules: [] } };
const clock = (): number => 0;

test.each<[string, () => unknown, string]>([
  [
    'no options',
    () => convertPolicy(kyverno, undefined as never),
    'convertPolicy takes options as an object, not undefined',
  ],
  [
    'the option of the program',
    () => convertPolicy(kyverno, { schemas, to: 'kyverno' } as never),
    'convertPolicy has no option `to` (there are schemas, target, isIdiomatic, related)',
  ],
  [
    'another target',
    () => convertPolicy(kyverno, { schemas, target: 'Kyverno' } as never),
    'convertPolicy: `target` is the string "Kyverno", none of "admission", "kyverno"',
  ],
  [
    'promised schemas',
    () => convertPolicy(kyverno, { schemas: loadSchemas() } as never),
    'convertPolicy takes schemas (`await loadSchemas()` gives them), not a Promise (await it)',
  ],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(new TypeError(message));
});

// A search that makes no requests finds no difference.
test.each<[string, object, string]>([
  [
    'a slip',
    { old: [], new: [], schemas, clock, serach: 50 },
    'findDifferences has no option `serach` (did you mean `search`?)',
  ],
  [
    'no number',
    { old: [], new: [], schemas, clock, search: Number.NaN },
    'findDifferences: `search` is the number NaN, no number',
  ],
  [
    'a text for a number',
    { old: [], new: [], schemas, clock, search: '50' },
    'findDifferences: `search` is the string "50", no number',
  ],
  ['one side', { old: [], schemas, clock }, 'findDifferences: `new` is undefined'],
  ['no clock', { old: [], new: [], schemas }, 'findDifferences: `clock` is undefined'],
  [
    'no schemas',
    { old: [], new: [], clock },
    'findDifferences takes schemas (`await loadSchemas()` gives them), not undefined',
  ],
])('findDifferences refuses %s', async (_name, options, message) => {
  await expect(findDifferences(options as never)).rejects.toThrow(new TypeError(message));
});
