import { Double } from '@kubeadmit/cel';
import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../src/write-json.ts';

describe('JSON is written', () => {
  test.each([
    [
      { a: 1n, b: new Double(1), c: undefined, d: [new Double(-0), 1.5] },
      '{"a":1,"b":1,"d":[-0,1.5]}',
    ],
    [[9007199254740993n, {}, []], '[9007199254740993,{},[]]'],
    [{ a: { b: undefined } }, '{"a":{}}'],
  ])('%#', (value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });

  test('with indentation as JSON.stringify does it', () => {
    const value = { a: [1, { b: [] }], c: {}, d: 'x' };
    const special = { ...value, e: 2n };
    expect(stringifyJson(value, 2)).toBe(JSON.stringify(value, undefined, 2));
    expect(stringifyJson(special, 2)).toBe(JSON.stringify({ ...value, e: 2 }, undefined, 2));
  });
});
