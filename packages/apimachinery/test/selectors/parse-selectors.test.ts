import { expect, test } from 'vitest';
import { parseFieldSelector } from '../../src/selectors/field-selector.ts';
import { parseLabelSelector } from '../../src/selectors/parse-label-selector.ts';

test.each([
  ['', []],
  ['a', [['a', 'exists', []]]],
  ['!a', [['a', '!', []]]],
  [
    'b=x, a==y,c!=z',
    [
      ['a', '==', ['y']],
      ['b', '=', ['x']],
      ['c', '!=', ['z']],
    ],
  ],
  ['a in (y,x)', [['a', 'in', ['x', 'y']]]],
  ['a notin ()', [['a', 'notin', ['']]]],
  ['a in (,x,)', [['a', 'in', ['', 'x']]]],
  ['a=', [['a', '=', ['']]]],
  [
    'a>1,b<2',
    [
      ['a', 'gt', ['1']],
      ['b', 'lt', ['2']],
    ],
  ],
  ['in', [['in', 'exists', []]]],
])('label selector %j', (text, expected) => {
  const found = parseLabelSelector(text);
  expect(
    'error' in found ? found : found.map(({ key, operator, values }) => [key, operator, values]),
  ).toEqual(expected);
});

test.each([
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a in x', "unable to parse requirement: found 'x' expected: '('"],
  ['a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a=(', "unable to parse requirement: found '(', expected: identifier"],
  ['!=a', "found '!=', expected: !, identifier, or 'end of string'"],
  [
    'a>x',
    "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
])('label selector %j is refused', (text, error) => {
  expect(parseLabelSelector(text)).toEqual({ error });
});

test.each([
  ['', []],
  [
    'b=1,a!=2,,c==3',
    [
      ['a', '!=', '2'],
      ['b', '=', '1'],
      ['c', '=', '3'],
    ],
  ],
  ['a=x\\,y\\=z\\\\', [['a', '=', 'x,y=z\\']]],
])('field selector %j', (text, expected) => {
  const found = parseFieldSelector(text);
  expect(
    'error' in found ? found : found.map(({ field, operator, value }) => [field, operator, value]),
  ).toEqual(expected);
});

test.each([
  ['a', "invalid selector: 'a'; can't understand 'a'"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
  ['a=\\', 'invalid field selector: invalid escape sequence: \\'],
])('field selector %j is refused', (text, error) => {
  expect(parseFieldSelector(text)).toEqual({ error });
});
