import { describe, expect, test } from 'vitest';
import { parseJson, printJson, written } from '../src/json.ts';

describe('parseJson', () => {
  test.each([
    '{"a":9007199254740993,"b":[-12345678901234567890,1,"9007199254740993",true,null]}',
    '[1234567890123456789,{"__proto__":{"x":"\\"}]"}},false,[],{}]',
    '{"constructor":1}',
  ])('keeps every digit of %s', (text) => {
    expect(printJson(parseJson(text))).toBe(text);
  });

  test('reads spaces and fractions beside long integers', () => {
    expect(parseJson(' { "a" : [ 9007199254740993 , 1.5e3 , -0.25 ] } ')).toEqual({
      a: [9007199254740993n, 1500, -0.25],
    });
  });

  test('refuses invalid JSON', () => {
    expect(() => parseJson('{"a":09007199254740993}')).toThrow(SyntaxError);
  });

  test('does not let a key reach the prototype', () => {
    const value = parseJson('{"__proto__":{"polluted":1234567890123456789}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
  });
});

test('printJson writes numbers as in the source, and leaves out undefined members', () => {
  const value = { a: [written('2.0'), written('1e400')], b: undefined as never, c: '\u0001' };
  expect(printJson(value)).toBe('{"a":[2.0,1e400],"c":"\\u0001"}');
});
