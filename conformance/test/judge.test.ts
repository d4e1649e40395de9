import { Double } from '@kubeadmit/cel';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../src/areas.ts';
import { judge, nameCase } from '../src/judge.ts';

const SUM = '{"id":"sum","expression":"1 + 2","result":"3","cost":1}';

function judged(answer: Answer, options: { text?: string; gap?: string } = {}) {
  const area = { folder: 'cel', command: 'eval', answer };
  return judge(nameCase(area, 'sums.ndjson', options.text ?? SUM, 1), options.gap);
}

describe('judge', () => {
  test('accepts the recorded answer', async () => {
    expect(await judged(() => ({ id: 'sum', cost: 1, result: '3' }))).toBeUndefined();
  });

  test('names the field that differs', async () => {
    const complaint = await judged(() => ({ result: '4', cost: 1 }));
    expect(complaint).toBe('  result\n    expected "3"\n    actual   "4"');
  });

  test('names a field that is too much', async () => {
    const complaint = await judged(() => ({ result: '3', cost: 1, error: 'no' }));
    expect(complaint).toBe('  error\n    expected nothing\n    actual   "no"');
  });

  test('accepts a known gap while it is one', async () => {
    expect(await judged(() => ({ result: '4' }), { gap: 'no sums' })).toBeUndefined();
  });

  test('refuses a known gap that holds', async () => {
    const complaint = await judged(() => ({ result: '3', cost: 1 }), { gap: 'no sums' });
    expect(complaint).toContain('take it off the list');
  });

  test('reports an engine that throws', async () => {
    const answer = () => {
      throw new TypeError('broken');
    };
    expect(await judged(answer)).toContain('threw TypeError: broken');
  });

  test('gives numbers to the engine as what they are', async () => {
    const text = '{"id":"a","expression":"x","variables":{"x":[1.0,1,9007199254740993]}}';
    let seen: unknown;
    await judged(
      (input) => {
        seen = input;
        return {};
      },
      { text },
    );
    expect(seen).toEqual({
      id: 'a',
      expression: 'x',
      variables: { x: [new Double(1), 1, 9007199254740993n] },
    });
  });

  test('compares doubles and long integers by what they print', async () => {
    const text = '{"id":"a","expression":"x","object":{"x":[1.0,9007199254740993]}}';
    const answer = () => ({ object: { x: [new Double(1), 9007199254740993n], y: undefined } });
    expect(await judged(answer, { text })).toBeUndefined();
  });
});

describe('nameCase', () => {
  const area = { folder: 'cel', command: 'eval', answer: () => ({}) };

  test('calls a case by its identifier, or else by its place', () => {
    expect(nameCase(area, 'sums.ndjson', SUM, 7).name).toBe('cel/sum');
    expect(nameCase(area, 'sums.ndjson', '{"case":{},"answer":{}}', 7).name).toBe('cel/sums-7');
  });
});
