import { expect, test } from 'vitest';
import { findOperator } from '../src/conditions/operators.ts';
import type { Failure } from '../src/jmespath/steps/failure.ts';
import { conditionOperators } from '../src/policy-validation/policy-schema.data.ts';

// A key and a value for which each operator is true, and a value for which it is false.
const examples: Readonly<Record<string, readonly [key: unknown, value: unknown, other: unknown]>> =
  {
    Equals: ['a', 'a', 'b'],
    NotEquals: ['a', 'b', 'a'],
    In: ['a', ['a', 'b'], ['b']],
    AnyIn: [['a', 'c'], ['a', 'b'], ['b']],
    AllIn: [['a', 'b'], ['a', 'b'], ['a']],
    NotIn: ['a', ['b'], ['a']],
    AnyNotIn: [['a', 'b'], ['a'], ['a', 'b']],
    AllNotIn: [['a', 'b'], ['c'], ['a']],
    GreaterThanOrEquals: [2, 2, 3],
    GreaterThan: [2, 1, 2],
    LessThanOrEquals: [2, 2, 1],
    LessThan: [2, 3, 2],
    DurationGreaterThanOrEquals: ['1h', '60m', '2h'],
    DurationGreaterThan: ['1h', '30m', '1h'],
    DurationLessThanOrEquals: ['1h', '60m', '30m'],
    DurationLessThan: ['1h', '2h', '1h'],
  };

test('every operator that the definitions accept has an example', () => {
  expect(Object.keys(examples).sort()).toEqual([...conditionOperators].sort());
});

test.each(Object.entries(examples))('%s is evaluated', (name, [key, value, other]) => {
  const operator = findOperator(name);
  expect([operator?.(key, value), operator?.(key, other)]).toEqual([true, false]);
});

// The keys at which Kyverno 1.19.1 panics, whatever the value is. No other operator and key panics.
test.each([
  [[true], 'the boolean true'],
  [['a', 5], 'the number 5'],
  [[1.5], 'the number 1.5'],
  [['a', null], 'null'],
  [[['a']], 'a list'],
  [[{ a: 1 }], 'an object'],
])('In and NotIn of %j fail, and other operators do not', (key, found) => {
  for (const value of [key, ['a'], 'a', '["a"]', 5, true, null, { a: 1 }, []]) {
    for (const name of conditionOperators) {
      const outcome = findOperator(name)?.(key, value);
      if (name !== 'In' && name !== 'NotIn') expect(typeof outcome).toBe('boolean');
      else {
        expect((outcome as Failure).message).toBe(
          `Kyverno panics: the key of \`${name}\` is a list that contains ${found}, and only strings are supported; use \`AllIn\` or \`AnyNotIn\``,
        );
      }
    }
  }
});
