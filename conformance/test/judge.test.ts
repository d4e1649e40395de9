import { Double } from '@kubeadmit/cel';
import { type Command, findCommand } from '@kubeadmit/conformance-tools';
import { describe, expect, test } from 'vitest';
import { judge, nameCase } from '../src/judge.ts';

const command = findCommand('eval') as Command;
const sum = nameCase('cel', command, '{"id":"sum","expression":"1 + 2","result":"3","cost":1}');

describe('judge', () => {
  test('accepts the recorded answer', async () => {
    const answer = () => ({ id: 'sum', cost: 1, result: '3' });
    expect(await judge(sum, answer, undefined)).toBeUndefined();
  });

  test('names the field that differs', async () => {
    const complaint = await judge(sum, () => ({ result: '4', cost: 1 }), undefined);
    expect(complaint).toBe('  result\n    expected "3"\n    actual   "4"');
  });

  test('names a field that is too much', async () => {
    const complaint = await judge(sum, () => ({ result: '3', cost: 1, error: 'no' }), undefined);
    expect(complaint).toBe('  error\n    expected nothing\n    actual   "no"');
  });

  test('accepts a known gap while it is one', async () => {
    expect(await judge(sum, () => ({ result: '4' }), 'no sums')).toBeUndefined();
  });

  test('refuses a known gap that holds', async () => {
    const complaint = await judge(sum, () => ({ result: '3', cost: 1 }), 'no sums');
    expect(complaint).toContain('take it off the list');
  });

  test('reports an engine that throws', async () => {
    const answer = () => {
      throw new TypeError('broken');
    };
    expect(await judge(sum, answer, undefined)).toContain('threw TypeError: broken');
  });

  test('gives numbers to the engine as what they are', async () => {
    const text = '{"id":"a","expression":"x","variables":{"x":[1.0,1,9007199254740993]}}';
    let seen: unknown;
    const answer = (input: object) => {
      seen = input;
      return {};
    };
    await judge(nameCase('cel', command, text), answer, undefined);
    expect(seen).toEqual({
      id: 'a',
      expression: 'x',
      variables: { x: [new Double(1), 1, 9007199254740993n] },
    });
  });

  test('compares doubles and long integers by what they print', async () => {
    const text = '{"id":"a","expression":"x","object":{"x":[1.0,9007199254740993]}}';
    const answer = () => ({ object: { x: [new Double(1), 9007199254740993n], y: undefined } });
    expect(await judge(nameCase('cel', command, text), answer, undefined)).toBeUndefined();
  });

  test('refuses a line without identifier', () => {
    expect(() => nameCase('cel', command, '{"expression":"1"}')).toThrow('cel: a line has no id');
  });
});
