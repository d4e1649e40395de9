import { expect, test } from 'vitest';
import plain from '../bench/expressions.json' with { type: 'json' };
import { evaluate as evaluateInCore, parse } from '../src/core.ts';
import { Environment, ExpressionError, evaluate } from '../src/index.ts';

const { variables } = plain;
const expressions = [
  ...plain.expressions.filter((text) => !text.includes('matches')),
  'user.?email.optMap(e, e.size()).orValue(0)',
  "[1, 2].map(i, {'a': i})[1].a",
  "timestamp('2026-01-01T00:00:00Z').getHours('Europe/Berlin')",
  "duration('1h') + duration('30m') < duration('2h')",
  'type(user.age)',
  "'%' + string(1u) + b'a'",
  'user.none',
  '1 / 0',
  '1 +',
];

test.each(expressions)('%s gives what it gives with all that there is', (text) => {
  expect(outcome(() => evaluateInCore(text, variables))).toEqual(
    outcome(() => evaluate(text, variables)),
  );
});

const regular = 'regular expressions (`matches`) are not in `@kubeadmit/cel/core`';
const refused: readonly (readonly [text: string, why: string])[] = [
  ["'a'.matches('a')", regular],
  ["matches('a', user.name)", regular],
  ["true || user.name.matches('a')", regular],
  [
    'google.protobuf.Int64Value{value: 1} == 1',
    'messages such as `google.protobuf.Int64Value` are not in `@kubeadmit/cel/core`',
  ],
];

test.each(refused)('%s is an error that says where it is known', (text, why) => {
  expect(() => evaluateInCore(text, variables)).toThrow(ExpressionError);
  expect(() => parse(text)(variables)).toThrow(
    `${why}: import \`evaluate\` from \`@kubeadmit/cel\``,
  );
});

test('an environment that is given has regular expressions', () => {
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  expect(evaluateInCore("user.name.matches('^a')", variables, { environment })).toBe(true);
});

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (failure) {
    return failure instanceof ExpressionError ? failure.issues : failure;
  }
}
