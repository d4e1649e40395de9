import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { findDifferences } from '../src/index.ts';

const schemas = await loadSchemas();
const clock = (): number => 0;

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
