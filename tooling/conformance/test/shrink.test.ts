import { expect, test } from 'vitest';
import { type JsonObject, printJson } from '../src/json.ts';
import { shrink } from '../src/shrink.ts';

test('shrink keeps only the parts that the failure needs', async () => {
  const input: JsonObject = {
    id: 'a',
    resources: [
      { kind: 'A', spec: { x: 1 } },
      { kind: 'B', spec: { bad: [1, 2, 3, 4] } },
    ],
    note: 'a long text that nobody needs',
  };
  const smallest = await shrink(input, ['id', 'resources'], async (candidate) =>
    printJson(candidate).includes('"bad"'),
  );
  expect(smallest).toEqual({ id: 'a', resources: [{ spec: { bad: [] } }] });
});

test('expressions are cut at their brackets and operators', async () => {
  const input = { expression: '[1, 2].map(x, x + nope(y)) == [3] && "a long text" != ""' };
  const smallest = await shrink(input, ['expression'], async (candidate) =>
    printJson(candidate).includes('nope('),
  );
  expect(smallest).toEqual({ expression: 'nope(y)' });
});
