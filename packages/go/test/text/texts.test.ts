import { describe, expect, test } from 'vitest';
import {
  byteLength,
  codePointCount,
  codePointsBefore,
  unitOffset,
} from '../../src/text/code-points.ts';
import { compareText, sortedKeys } from '../../src/text/compare.ts';
import { cutBytes } from '../../src/text/cut.ts';
import { trimLeft, trimRight } from '../../src/text/trim.ts';
import { decodeUtf8, decodeUtf8Leniently, encodeUtf8 } from '../../src/text/utf8.ts';
import { trimSpace } from '../../src/text/white-space.ts';
import cases from '../cases/utf8.json' with { type: 'json' };

const samples = ['', 'a', 'é', '€', '😀', 'a😀b', '😀😀', '\u{10ffff}\u0080\u07ff\u0800\uffff'];

describe('code points', () => {
  test.each(samples)('of %j', (text) => {
    expect(codePointCount(text)).toBe([...text].length);
    expect(byteLength(text)).toBe(Buffer.from(text).length);
    expect([...encodeUtf8(text)]).toEqual([...Buffer.from(text)]);
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  });

  test('a lone surrogate is U+FFFD', () => {
    expect([...encodeUtf8('a\udc00')]).toEqual([0x61, 0xef, 0xbf, 0xbd]);
    expect(byteLength('a\udc00')).toBe(4);
  });

  test('positions', () => {
    expect([0, 1, 2, 3, 4].map((index) => unitOffset('a😀b', index))).toEqual([0, 1, 3, 4, -1]);
    expect([0, 1, 3, 4].map((offset) => codePointsBefore('a😀b', offset))).toEqual([0, 1, 2, 3]);
  });
});

describe('order', () => {
  test('is that of the bytes', () => {
    for (const left of samples) {
      for (const right of samples) {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareText(left, right))).toBe(bytes);
      }
    }
  });

  test('of keys', () => {
    const keys = ['b', '10', '\uffff', '😀', '9', 'a'];
    const object = Object.fromEntries(keys.map((key) => [key, 1]));
    expect(sortedKeys(object)).toEqual(['10', '9', 'a', 'b', '\uffff', '😀']);
  });
});

test.each(cases.bytes as [number[], string, boolean][])(
  'the bytes %j are %j (valid: %s)',
  (bytes, text, isValid) => {
    expect(decodeUtf8Leniently(Uint8Array.from(bytes))).toBe(text);
    expect(decodeUtf8(Uint8Array.from(bytes))).toBe(isValid ? text : undefined);
  },
);

test.each([
  ['abc', 2, 'ab'],
  ['abc', 5, 'abc'],
  ['aé', 2, 'a\ufffd'],
  ['a😀b', 4, 'a\ufffd\ufffd\ufffd'],
  ['a😀b', 5, 'a😀'],
])('%j cut after %d bytes is %j', (text, bytes, cut) => {
  expect(cutBytes(text, bytes)).toBe(cut);
});

test('white space is defined as in Go', () => {
  expect(trimSpace('\u0085\u3000 a\ufeff \t')).toBe('a\ufeff');
  expect(trimSpace(' \n')).toBe('');
});

test.each([
  ['00100', '0', '100', '001'],
  ['', '0', '', ''],
  ['000', '0', '', ''],
  ['$(a)$', '$()', 'a)$', '$(a'],
])('%j without %j at its start is %j, and at its end %j', (text, characters, left, right) => {
  expect([trimLeft(text, characters), trimRight(text, characters)]).toEqual([left, right]);
});
