import { expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../src/encoding/base64.ts';
import cases from '../cases/base64.json' with { type: 'json' };

type Answer = number[] | { readonly error: string };

function answer(text: string, isRaw: boolean): Answer {
  const bytes = decodeBase64(text, { isRaw });
  return 'error' in bytes ? bytes : [...bytes];
}

test.each(cases as [string, Answer, Answer][])('reads %j', (text, padded, raw) => {
  expect(answer(text, false)).toEqual(padded);
  expect(answer(text, true)).toEqual(raw);
});

test.each(['', 'a', 'ab', 'abc', 'é', '😀', 'x'.repeat(200), '\ud800'])(
  'writes %j so that it can be read again',
  (text) => {
    const bytes = new TextEncoder().encode(text);
    expect(encodeBase64(text)).toBe(Buffer.from(bytes).toString('base64'));
    expect(encodeBase64(bytes)).toBe(encodeBase64(text));
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  },
);

test('writes more bytes than one call takes arguments', () => {
  const bytes = new Uint8Array(300_000).fill(200);
  expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});

test('the alphabet of URLs has other signs', () => {
  const bytes = Uint8Array.from([0xfb, 0xef, 0xff]);
  expect(encodeBase64(bytes, { isUrl: true })).toBe('--__');
  expect(encodeBase64(bytes.subarray(0, 1), { isRaw: true, isUrl: true })).toBe('-w');
  expect(decodeBase64('--__', { isRaw: true, isUrl: true })).toEqual(bytes);
  expect(decodeBase64('++//', { isUrl: true })).toEqual({
    error: 'illegal base64 data at input byte 0',
  });
});
