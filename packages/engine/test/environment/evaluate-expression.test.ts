import { describe, expect, test } from 'vitest';
import { errorPlace } from '../../src/environment.ts';
import { evaluateExpression } from '../../src/index.ts';

describe('variables that cannot be read', () => {
  test.each([
    [{ $int: '1e3' }, 'strconv.ParseInt: parsing "1e3": invalid syntax'],
    [
      { $int: '99999999999999999999' },
      'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    [{ $uint: '-1' }, 'strconv.ParseUint: parsing "-1": invalid syntax'],
    [{ $double: 'a' }, 'strconv.ParseFloat: parsing "a": invalid syntax'],
    [{ $double: '1e999' }, 'strconv.ParseFloat: parsing "1e999": value out of range'],
    [{ $bytes: 'a!' }, 'illegal base64 data at input byte 1'],
    [{ $timestamp: 'abc' }, '"abc" is not a timestamp'],
    [{ $duration: 'abc' }, 'time: invalid duration "abc"'],
    [[{ $int: [null] }], 'strconv.ParseInt: parsing "[null]": invalid syntax'],
  ])('%j', (x, mistake) => {
    const answer = evaluateExpression({ expression: 'x', variables: { x } });
    expect(answer).toEqual({ failure: `variable x: ${mistake}` });
  });
});

describe('declared types', () => {
  test.each([
    ['list<quantity>', 'list(kubernetes.Quantity)'],
    [' map<string, optional<list<ip>>> ', 'map(string, optional_type(list(net.IP)))'],
    ['null_type', 'null_type'],
    ['type', 'type'],
    ['map< int ,int>', 'map(int, int)'],
  ])('%s', (text, type) => {
    expect(evaluateExpression({ expression: 'x', declarations: { x: text } })).toMatchObject({
      type,
    });
  });

  test.each([
    '',
    'A',
    'null',
    'list',
    'list<',
    'list<>',
    'list <int>',
    'map<int>',
    'int int',
    'list<int',
  ])('%j is none', (text) => {
    expect(evaluateExpression({ expression: 'x', declarations: { x: text } })).toEqual({
      failure: `declaration of x: ${JSON.stringify(text)} is not a type`,
    });
  });
});

describe('the place of an error', () => {
  test.each([
    ['1 + x.a', { line: 1, column: 5 }],
    ['[1, 2].all(y,\n  "é🙂" != x.b)', { line: 2, column: 11 }],
    ['x.exists(y, true) || [1][3] == 1', { line: 1, column: 24 }],
    ['x == 1', undefined],
    ['x +', undefined],
    ['int("a")', undefined],
  ])('%s', (expression, place) => {
    expect(errorPlace({ expression, variables: { x: {} } })).toEqual(place);
  });

  test('is absent if the cost limit is exceeded', () => {
    expect(errorPlace({ expression: '[1, 2].map(x, x)', budget: 3 })).toBeUndefined();
  });
});
