import { JsonError, stringifyJson } from '@kubeadmit/go';
import { describe, expect, test } from 'vitest';
import { Double, formatLiteral, type JsonOptions, parseJson, Timestamp } from '../src/index.ts';
import cases from './cases/json.json' with { type: 'json' };

interface Case {
  readonly json: string;
  /** The value as a CEL literal. */
  readonly value: string;
  /** The JSON written again, where it is not the same text. */
  readonly written?: string;
  readonly options?: JsonOptions;
}

describe('parseJson', () => {
  test.each(cases.read as readonly Case[])('reads $json', ({ json, value, written, options }) => {
    const read = parseJson(json, options);
    expect(formatLiteral(read)).toBe(value);
    expect(stringifyJson(read)).toBe(written ?? json);
  });

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
  ])('keeps what %s is, in Kubernetes', (text, value) => {
    expect(parseJson(text, { wholeDoubles: true })).toEqual(value);
    expect(parseJson(`{"a": [${text}]}`, { wholeDoubles: true })).toEqual({ a: [value] });
  });

  test.each(cases.refused)('refuses $json', ({ json, message, position }) => {
    expect(() => parseJson(json)).toThrow(JsonError);
    try {
      parseJson(json);
    } catch (failure) {
      expect(failure).toMatchObject({ message, position });
    }
  });

  test('treats names that objects inherit as ordinary keys', () => {
    const read = parseJson('{"__proto__":{"a":9007199254740993},"constructor":1}');
    expect(Object.keys(read as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect((read as { a?: unknown }).a).toBeUndefined();
  });

  test('ends on data that is nested too deeply', () => {
    const deep = `${'['.repeat(20_000)}9007199254740993${']'.repeat(20_000)}`;
    expect(() => parseJson(deep)).toThrow(JsonError);
  });
});

describe('stringifyJson', () => {
  test('writes doubles as numbers', () => {
    expect(stringifyJson([new Double(1), 1.5, 2n ** 60n])).toBe('[1,1.5,1152921504606846976]');
  });

  test.each([[new Timestamp(0, 0)], [new Uint8Array([1])], [{ a: [new Timestamp(0, 0)] }]])(
    'throws on what has no JSON form',
    (value) => {
      expect(() => stringifyJson(value)).toThrow(TypeError);
    },
  );
});
