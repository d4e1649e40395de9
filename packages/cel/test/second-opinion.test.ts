import { Environment as Other } from '@marcbachmann/cel-js';
import { expect, test } from 'vitest';
import { Environment } from '../src/index.ts';
import { randomNumbers } from './random-expression.ts';

// Another library on the part of the language that it knows: random expressions of the right types, where both have to
// give the same value, or both none.

const variables = {
  i: 7,
  n: -3,
  d: 1.5,
  s: 'añb',
  t: 'b',
  b: true,
  l: [3, 1, 2],
  m: { a: 1, b: 2 },
};
const types = {
  i: 'int',
  n: 'int',
  d: 'double',
  s: 'string',
  t: 'string',
  b: 'bool',
  l: 'list<int>',
  m: 'map<string, int>',
} as const;
const integers = ['i', 'n', 'l', 'm'];

const ours = new Environment({ variables: types });
const other = new Other();
for (const [name, type] of Object.entries(types)) other.registerVariable(name, type);

type Kind = 'int' | 'double' | 'string' | 'bool' | 'list';
type Random = (limit: number) => number;

const leaves: Readonly<Record<Kind, readonly string[]>> = {
  int: [
    'i',
    'n',
    '0',
    '1',
    '2',
    '-5',
    '9223372036854775807',
    "m['a']",
    'm.b',
    'l[0]',
    'l[5]',
    'm.c',
  ],
  double: ['d', '0.5', '-2.25', '1e3'],
  string: ['s', 't', "''", "'ab'", "'ñ'"],
  bool: ['b', 'true', 'false', 'has(m.a)', 'has(m.c)'],
  // It has no type for the elements of `[]`, and refuses to compare them.
  list: ['l', '[1, 2]', '[i, n]', 'l.filter(x, x > 5)'],
};

/** The forms of expressions by kind; `%KIND` stands for a nested expression. */
const forms: Readonly<Record<Kind, readonly string[]>> = {
  int: [
    ...['%int + %int', '%int - %int', '%int * %int', '%int / %int', '%int % %int', '-(%int)'],
    ...['size(%string)', 'size(%list)', '%bool ? %int : %int', 'int(%double)', '%list[%int]'],
  ],
  double: [
    ...['%double + %double', '%double - %double', '%double * %double', '%double / %double'],
    ...['double(%int)', '%bool ? %double : %double', '-(%double)'],
  ],
  string: ['%string + %string', '%bool ? %string : %string', 'string(%int)', 'string(%bool)'],
  bool: [
    ...['%bool && %bool', '%bool || %bool', '!(%bool)', '%bool == %bool', '%bool ? %bool : %bool'],
    ...['%int == %int', '%int != %int', '%int < %int', '%int <= %int', '%int > %int'],
    ...['%double < %double', '%double == %double', '%string == %string', '%string < %string'],
    ...['%int in %list', '%string in m', '%list == %list'],
    ...['%string.startsWith(%string)', '%string.endsWith(%string)', '%string.contains(%string)'],
    ...['%list.all(x, x > %int)', '%list.exists(x, x == %int)', '%list.exists_one(x, x < %int)'],
    ...["%string.matches('^[a-z]+$')", 'm.exists(k, k == %string)', 'm.all(k, m[k] < %int)'],
  ],
  list: [
    ...['%list + %list', '[%int, %int]', '%list.map(x, x + %int)', '%list.filter(x, x != %int)'],
    ...['%list.map(x, x > %int, x * 2)', '%bool ? %list : %list'],
  ],
};

function expression(random: Random, kind: Kind, depth: number): string {
  const choices = depth === 0 || random(5) === 0 ? leaves[kind] : forms[kind];
  const chosen = choices[random(choices.length)] as string;
  return chosen.replace(/%(int|double|string|bool|list)/g, (_, inner) => {
    const text = expression(random, inner as Kind, depth - 1);
    return /^[a-z]$/.test(text) ? text : `(${text})`;
  });
}

/** The value as text, or `error`. */
function told(evaluate: () => unknown): string {
  try {
    return JSON.stringify(evaluate(), (_, value) =>
      typeof value === 'bigint' ? `${value}` : typeof value === 'number' ? `${value}` : value,
    );
  } catch {
    return 'error';
  }
}

const given = Object.fromEntries(
  Object.entries(variables).map(([name, value]) => [
    name,
    integers.includes(name) ? big(value) : value,
  ]),
);

function big(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(big);
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, big(one)]));
}

test('1,000 random expressions have the same results as in @marcbachmann/cel-js', () => {
  const random = randomNumbers(19);
  const kinds = Object.keys(forms) as Kind[];
  const different: string[] = [];
  let values = 0;
  for (let round = 0; round < 1_000; round++) {
    const text = expression(random, kinds[random(kinds.length)] as Kind, 1 + random(3));
    const mine = told(() => ours.evaluate(text, variables));
    const theirs = told(() => other.evaluate(text, given));
    if (mine !== 'error') values++;
    if (mine !== theirs) different.push(`${text}: ${mine}, theirs ${theirs}`);
  }
  expect(different).toEqual([]);
  // Most of them have a value, so that not only failures are compared.
  expect(values).toBeGreaterThan(550);
});
