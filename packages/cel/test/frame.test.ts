import { expect, test } from 'vitest';
import { Frame } from '../src/plan/frame.ts';

test.each([
  [undefined, 2 ** 40, 2 ** 40 + 3],
  [Number.POSITIVE_INFINITY, 2 ** 40, 2 ** 40 + 3],
  [2 ** 31, 2 ** 31 - 3, 2 ** 31],
  [10, 7, 10],
])('with the limit %s a cost may reach it', (costLimit, cost, sum) => {
  const frame = new Frame(0, true, costLimit);
  frame.charge(cost);
  frame.chargeSteps(3);
  expect(frame.cost).toBe(sum);
});

test.each([10, 2 ** 30, 2 ** 31])('beyond the limit of %d an evaluation ends', (costLimit) => {
  const byCall = new Frame(0, true, costLimit);
  expect(() => byCall.charge(costLimit + 5)).toThrow('actual cost limit exceeded');
  expect(byCall.cost).toBe(costLimit + 5);
  const bySteps = new Frame(0, true, costLimit);
  bySteps.charge(costLimit);
  expect(() => bySteps.chargeSteps(5)).toThrow('actual cost limit exceeded');
  expect(bySteps.cost).toBe(costLimit + 1);
});

test('a frame takes another limit for its next evaluation', () => {
  const frame = new Frame(0, true);
  frame.charge(2 ** 40);
  frame.clear();
  frame.setLimit(10);
  expect(() => frame.charge(11)).toThrow('actual cost limit exceeded');
  frame.clear();
  frame.setLimit(Number.POSITIVE_INFINITY);
  frame.charge(2 ** 40);
  expect(frame.cost).toBe(2 ** 40);
});

test('checks for cancellation every hundred iterations', () => {
  let asked = 0;
  const frame = new Frame(0, true, undefined, () => ++asked === 3);
  for (let round = 0; round < 299; round++) frame.countIteration();
  expect(asked).toBe(2);
  expect(() => frame.countIteration()).toThrow('context canceled');
});
