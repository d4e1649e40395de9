import { expect, test } from 'vitest';
import { quoteString } from '../../src/libraries/quote-string.ts';
import { replace, split } from '../../src/libraries/string-functions.ts';

test.each([
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\u0001é\u00a0\u200b', '"\u0001é\u00a0\u200b"'],
  ['\u{e0001}😀', '"\u{e0001}😀"'],
  ['a\ud800"', '"a\ufffd\\""'],
])('%j is quoted as %s', (text, quoted) => {
  expect(quoteString(text)).toBe(quoted);
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
