import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { quote, quoteBytes, quoteCodePoint, quoteCodePointInAscii } from '../../src/quote/quote.ts';
import cases from '../cases/quote.json' with { type: 'json' };

test.each(cases.texts as [string, string][])('quotes the text %j as %s', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

test.each(cases.bytes as [number[], string][])('quotes the bytes %j as %s', (bytes, quoted) => {
  expect(quoteBytes(Uint8Array.from(bytes))).toBe(quoted);
});

test.each([
  ['quote', (code: number) => quote(String.fromCodePoint(code))],
  ['quoteCodePoint', quoteCodePoint],
  ['quoteCodePointInAscii', quoteCodePointInAscii],
] as const)('%s says of every code point what Go says', (name, quoteOne) => {
  const hash = createHash('sha256');
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code < 0xd800 || code > 0xdfff) hash.update(quoteOne(code));
  }
  expect(hash.digest('hex')).toBe(cases.everyCodePoint[name]);
});

test('takes a lone surrogate for U+FFFD', () => {
  expect(quote('a\ud800b')).toBe('"a\ufffdb"');
  expect(quoteCodePointInAscii(0xdc00)).toBe("'\\ufffd'");
});
