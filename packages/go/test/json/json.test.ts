import { describe, expect, test } from 'vitest';
import { formatJson, quoteJson, stringifyJson } from '../../src/json/format-json.ts';
import { parseJsonPrefix } from '../../src/json/json-reader.ts';
import { parseJson, readJson, scanJson } from '../../src/json/parse-json.ts';
import { JsonError } from '../../src/json/syntax-error.ts';
import cases from '../cases/json.json' with { type: 'json' };

/** A number as an instance of a class, as CEL's doubles are. */
class Float {
  readonly value: number;
  readonly text: string | undefined;

  constructor(value: number, text?: string) {
    this.value = value;
    this.text = text;
  }

  toJSON(): number {
    return this.value;
  }
}

describe('values are written as Go writes them', () => {
  test.each(cases.quoted as [string, string][])('the text %j as %s', (text, json) => {
    expect(quoteJson(text)).toBe(json);
  });

  test.each([
    [{ '<': ['&', '\\<'] }, '{"\\u003c":["\\u0026","\\\\\\u003c"]}'],
    ['a\ud800b😀\udc00', '"a\\ufffdb😀\\ufffd"'],
    [
      { b: 1n, a: new Float(1), c: undefined, d: [new Float(-0), -0, 1.5] },
      '{"b":1,"a":1,"d":[-0,-0,1.5]}',
    ],
    [[9007199254740993n, {}, [], null, undefined], '[9007199254740993,{},[],null,null]'],
    [{ a: { b: undefined } }, '{"a":{}}'],
    [[1e21, 1e-7, 0.000001], '[1e+21,1e-7,0.000001]'],
  ])('%o', (value, text) => {
    expect(formatJson(value)).toBe(text);
  });

  test('maps with their keys in order', () => {
    expect(
      formatJson({ b: 1, '\uffff': 2, '😀': 3, a: [{ d: 1, c: 2 }] }, { isSorted: true }),
    ).toBe('{"a":[{"c":2,"d":1}],"b":1,"\uffff":2,"😀":3}');
  });

  test('keeps the notation of doubles if requested', () => {
    const doubles = [new Float(1), new Float(1000, '1e3'), 1, 1.5];
    expect(stringifyJson(doubles, { isAsRead: true })).toBe('[1.0,1e3,1,1.5]');
  });

  test('with indentation as JSON.stringify has it', () => {
    const value = { a: [1, { b: [] }], c: {}, d: 'x<' };
    expect(stringifyJson(value, { indent: 2 })).toBe(JSON.stringify(value, undefined, 2));
    expect(stringifyJson({ ...value, e: 2n }, { indent: 2 })).toBe(
      JSON.stringify({ ...value, e: 2 }, undefined, 2),
    );
  });

  test.each([
    [Number.NaN, 'json: unsupported value: NaN'],
    [[Number.POSITIVE_INFINITY], 'json: unsupported value: +Inf'],
    [{ a: new Map() }, 'the value has no JSON form'],
    [new Uint8Array([1]), 'the value has no JSON form'],
  ])('or not at all: %o', (value, why) => {
    expect(() => formatJson(value)).toThrow(why);
  });
});

describe('texts are read as Go reads them', () => {
  test.each(cases.errors as [string, string][])('the JSON %j has the error %j', (text, error) => {
    const read = readJson(text);
    expect('error' in read ? read.error : '').toBe(error);
    expect(scanJson(text)).toMatchObject('error' in read ? read : { value: read.value });
  });

  test.each([
    ['', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{a:1}', 1],
    ['01', 1],
    ['"a', 2],
    ['"\t"', 1],
    ['"\\x"', 2],
    ['nul', 3],
    ['1 1', 2],
    ['{"a":1.0]', 8],
    ['[1e999]', 1],
  ])('the mistake in %j has its place', (text, position) => {
    expect(mistakeIn(text)).toBe(position);
  });

  test('reports invalid JSON before a number that exceeds all doubles', () => {
    expect(readJson('[1e999]')).toEqual({
      error: 'json: cannot unmarshal number 1e999 into Go value of type float64',
    });
    expect(readJson('[1e999')).toEqual({ error: 'unexpected end of JSON input' });
  });

  test('keys are only keys', () => {
    const value = parseJson('{"__proto__": {"a": "\\ud800"}, "constructor": 1}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe('{"__proto__":{"a":"\ufffd"},"constructor":1}');
  });

  test('half of a surrogate pair is U+FFFD', () => {
    expect(parseJson('"\\ud800"')).toBe('\ufffd');
    expect(parseJson('"\\ud83d\\ude00"')).toBe('😀');
  });

  test('reports a duplicate key, or rejects it', () => {
    const text = '{"a":[{"b":1,"b":2}],"a":1}';
    expect(scanJson(text)).toMatchObject({ value: { a: 1 }, duplicates: ['a[0].b', 'a'] });
    expect(() => parseJson(text, { uniqueKeys: true })).toThrow('key "b" already set in map');
  });

  test('nesting is bounded, and costs no call stack', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJsonPrefix(nested(10_000), 0).end).toBe(20_000);
    expect(() => parseJsonPrefix(nested(10_001), 0)).toThrow('exceeded max depth');
    expect(scanJson('['.repeat(100_000))).toEqual({ error: 'exceeded max depth' });
  });

  test('a prefix ends where its value ends', () => {
    const text = ' {"items": [ 1, {"items": [2]}]} {"b": 2}';
    expect(parseJsonPrefix(text, 0, { startsOf: 'items' })).toMatchObject({
      end: 32,
      elementStarts: [13, 16],
    });
  });
});

function mistakeIn(text: string): number | undefined {
  try {
    parseJson(text, { uniqueKeys: true });
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error.position;
    throw error;
  }
}
