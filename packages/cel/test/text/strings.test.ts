import { describe, expect, test } from 'vitest';
import {
  codePointCount,
  codePointsBefore,
  compareCodePoints,
  unitOffset,
  utf8Length,
} from '../../src/text/code-points.ts';
import { quoteCel, quoteGo } from '../../src/text/quote.ts';
import { replace, split, trim } from '../../src/text/strings.ts';
import { decodeUtf8, decodeUtf8Leniently, encodeUtf8, quoteGoBytes } from '../../src/text/utf8.ts';

const samples = ['', 'a', 'é', '€', '😀', 'a😀b', '😀😀', '\u{10ffff}\u0080\u07ff\u0800\uffff'];

describe('code points', () => {
  test.each(samples)('of %j', (text) => {
    expect(codePointCount(text)).toBe([...text].length);
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text));
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  });

  test('positions', () => {
    expect([0, 1, 2, 3, 4].map((index) => unitOffset('a😀b', index))).toEqual([0, 1, 3, 4, -1]);
    expect([0, 1, 3, 4].map((offset) => codePointsBefore('a😀b', offset))).toEqual([0, 1, 2, 3]);
  });

  test('order is that of the bytes', () => {
    for (const left of samples) {
      for (const right of samples) {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareCodePoints(left, right))).toBe(bytes);
      }
    }
  });
});

test.each([
  [[0xff], '"\\xff"'],
  [[0x25, 0xc3], '"%\\xc3"'],
  [[0xc3, 0xa9], '"é"'],
  [[0xed, 0xa0, 0x80], '"\\xed\\xa0\\x80"'],
  [[0xc0, 0x80], '"\\xc0\\x80"'],
])('bytes %j are quoted as %s', (bytes, quoted) => {
  const array = Uint8Array.from(bytes);
  expect(quoteGoBytes(array)).toBe(quoted);
  expect(decodeUtf8(array) === undefined).toBe(quoted.includes('\\x'));
  expect(decodeUtf8Leniently(array)).toBe(new TextDecoder().decode(array).slice(0, bytes.length));
});

test.each([
  ['a"b\\c', '"a\\"b\\\\c"', '"a\\"b\\\\c"'],
  ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\u0001é\u00a0\u200b', '"\\x01é\\u00a0\\u200b"', '"\u0001é\u00a0\u200b"'],
  ['\u{e0001}😀', '"\\U000e0001😀"', '"\u{e0001}😀"'],
])('%j is quoted', (text, go, cel) => {
  expect(quoteGo(text)).toBe(go);
  expect(quoteCel(text)).toBe(cel);
});

test('replacing the empty string goes between all characters', () => {
  expect(replace('a😀', '', '-', -1)).toBe('-a-😀-');
  expect(replace('a😀', '', '-', 1)).toBe('-a😀');
  expect(replace('aaa', 'a', '$&', 2)).toBe('$&$&a');
});

test('splitting', () => {
  expect(split('a,b,c', ',', 2)).toEqual(['a', 'b,c']);
  expect(split('a😀b', '', 2)).toEqual(['a', '😀b']);
  expect(split('', '', -1)).toEqual([]);
  expect(split('', ',', -1)).toEqual(['']);
});

test('white space is what Go says', () => {
  expect(trim('\u0085\u3000 a\ufeff \t')).toBe('a\ufeff');
});
