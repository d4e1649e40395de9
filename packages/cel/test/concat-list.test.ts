import { stringifyJson } from '@kubeadmit/go';
import { describe, expect, test } from 'vitest';
import { CelError, Environment } from '../src/index.ts';
import { listsLibrary } from '../src/libraries/lists.ts';
import type { Value } from '../src/values/value.ts';
import { isList } from '../src/values.ts';

const environment = new Environment({ variables: { x: 'dyn' }, libraries: [listsLibrary] });
const x = Array.from({ length: 1000 }, (_, index) => index);

function evaluate(expression: string): { readonly value: Value; readonly cost: number } {
  const { checked, issues } = environment.compile(expression);
  if (checked === undefined) throw new Error(issues[0]?.message);
  const program = environment.plan(checked);
  if (program instanceof CelError) throw new Error(program.message);
  return program.evaluate({ x }, { costLimit: 10_000_000 });
}

function times(count: number): string {
  return `(${Array.from({ length: count }, () => 'x').join(' + ')})`;
}

/** A list of three elements, doubled again and again. */
function doubled(count: number, test: string): string {
  return `[[1, 2, 3]]${'.map(a, a + a)'.repeat(count)}.all(b, ${test})`;
}

// Costs are those of cel-go: one for each sum and each reading of a variable.
test.each([
  [`${times(200)}.size() == 200000`, 401],
  [`${times(200)}[199999] == 999`, 402],
  [`-1 in ${times(3)}`, 6],
  [`${times(2)} == ${times(2)}`, 206],
  [`${times(2)}.slice(999, 1001) == [999, 0]`, 17],
  [`${times(2)}.map(v, v + 1).size() == 2000`, undefined],
  [`${times(2)}.all(v, v >= 0)`, undefined],
])('%s', (expression, cost) => {
  const evaluation = evaluate(expression);
  expect(evaluation.value).toBe(!expression.startsWith('-1'));
  if (cost !== undefined) expect(evaluation.cost).toBe(cost);
});

describe('a long sum', () => {
  const sum = evaluate('x + x').value as readonly Value[];

  test('is an array to all that look at it', () => {
    expect(isList(sum)).toBe(true);
    expect([...sum]).toEqual([...x, ...x]);
    expect(sum.map((value) => value)).toEqual([...x, ...x]);
    expect(sum.slice(998, 1002)).toEqual([998, 999, 0, 1]);
    expect([sum.length, sum[1000], sum[2000], sum[-1]]).toEqual([2000, 0, undefined, undefined]);
    expect(1999 in sum).toBe(true);
    expect(2000 in sum).toBe(false);
    expect(stringifyJson(sum)).toBe(JSON.stringify([...x, ...x]));
    expect(JSON.stringify(sum)).toBe(JSON.stringify([...x, ...x]));
  });
});

test('a list doubled forty times takes no memory for its elements', () => {
  const size = 3 * 2 ** 40;
  expect(evaluate(doubled(40, `b.size() == ${size}`)).value).toBe(true);
  expect(evaluate(doubled(40, `b[${size - 1}] == 3`)).value).toBe(true);
  expect(evaluate(doubled(40, '2 in b')).value).toBeInstanceOf(CelError);
});

test('so many sums take no longer than their elements', () => {
  const start = performance.now();
  expect(evaluate(`${times(240)}.all(v, v < 1000)`).value).toBe(true);
  expect(performance.now() - start).toBeLessThan(20_000);
});
