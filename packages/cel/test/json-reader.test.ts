import { describe, expect, test } from 'vitest';
import {
  Double,
  JsonError,
  type JsonOptions,
  parseJson as parse,
  parseJsonPrefix,
  stringifyJson,
  type Value,
} from '../src/index.ts';

function parseJson(text: string, options: JsonOptions = {}): Value {
  return parse(text, { wholeDoubles: true, ...options });
}

describe('numbers keep what they are', () => {
  test.each([
    ['1', 1],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', new Double(2 ** 63)],
    ['1.0', new Double(1)],
    ['1e3', new Double(1000)],
    ['-0.0', new Double(-0)],
    ['1.5', 1.5],
    ['1e-7', 1e-7],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
    expect(parseJson(`{"a": [${text}]}`)).toEqual({ a: [value] });
  });
});

test('keys are only keys', () => {
  const value = parseJson('{"__proto__": {"a": 1.0}, "constructor": 1}') as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(stringifyJson(value as Value)).toBe('{"__proto__":{"a":1},"constructor":1}');
});

test('half of a surrogate pair is U+FFFD, as in Go', () => {
  expect(parseJson('"\\ud800"')).toBe('\ufffd');
  expect(parseJson('"\\ud83d\\ude00"')).toBe('😀');
});

describe('what is not JSON has a place', () => {
  test.each([
    ['', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{a:1}', 1],
    ['01', 1],
    ['"a', 0],
    ['"\t"', 0],
    ['"\\x"', 0],
    ['nul', 0],
    ['1 1', 2],
    ['{"a":1.0]', 8],
  ])('%j', (text, offset) => {
    expect(offsetOfError(text)).toBe(offset);
  });
});

test('a key named twice is an error where that is asked for', () => {
  const text = '{"a": 1, "b": {"a": 1, "a": 2}}';
  expect(parseJson(text)).toEqual({ a: 1, b: { a: 2 } });
  expect(() => parseJson(text, { uniqueKeys: true })).toThrow('key "a" already set in map');
});

test('nesting is bounded as in Go, and costs no call stack', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(() => parseJson(`1.0${nested(1)}`)).toThrow(JsonError);
  expect(parseJsonPrefix(nested(10_000), 0, {}).end).toBe(20_000);
  expect(() => parseJsonPrefix(nested(10_001), 0, {})).toThrow('exceeded max depth');
});

test('a prefix ends where its value ends', () => {
  const text = ' {"items": [ 1, {"items": [2]}]} {"b": 2}';
  expect(parseJsonPrefix(text, 0, { startsOf: 'items' })).toMatchObject({
    end: 32,
    elementStarts: [13, 16],
  });
});

function offsetOfError(text: string): number | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error.position;
    throw error;
  }
}
