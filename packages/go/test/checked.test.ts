import {
  byteLength,
  compareText,
  cutBytes,
  decodeBase64,
  decodeUtf8,
  encodeBase64,
  formatDuration,
  formatFloat64,
  formatRfc3339,
  parseDuration,
  parseInt64,
  quote,
} from '@kubeadmit/go';
import { expect, test } from 'vitest';

// Invalid arguments, and the errors for them.
const cases: readonly (readonly [why: string, call: () => unknown, told: string])[] = [
  [
    'a number has no length in UTF-8',
    () => byteLength(3 as never),
    'byteLength takes a string, not the number 3',
  ],
  [
    'what was not read is no text',
    () => quote(undefined as never),
    'quote takes a string, not undefined',
  ],
  [
    'both texts are looked at',
    () => compareText('a', 1 as never),
    'compareText takes a string, not the number 1',
  ],
  [
    'not a number is no place',
    () => cutBytes('text', Number.NaN),
    'cutBytes takes a number of bytes, not the number NaN',
  ],
  [
    'bytes are a Uint8Array',
    () => decodeUtf8([104, 105] as never),
    'decodeUtf8 takes bytes as a Uint8Array, not a list',
  ],
  [
    'an option with a slip is told',
    () => decodeBase64('aGk', { israw: true } as never),
    'decodeBase64 has no option `israw` (did you mean `isRaw`?)',
  ],
  [
    'a buffer that was not awaited',
    () => encodeBase64(Promise.resolve() as never),
    'encodeBase64 takes bytes as a Uint8Array or a string, not a Promise (await it)',
  ],
  [
    'a number that was parsed before',
    () => parseInt64(5 as never),
    'parseInt64 takes a string, not the number 5',
  ],
  [
    'a number as text',
    () => formatFloat64('1.5' as never),
    'formatFloat64 takes a number, not the string "1.5"',
  ],
  [
    'milliseconds as a number',
    () => formatDuration(1000 as never),
    'formatDuration takes nanoseconds as a bigint, not the number 1000',
  ],
  [
    'nanoseconds that were parsed before',
    () => parseDuration(1n as never),
    'parseDuration takes a string, not the bigint 1',
  ],
  [
    'a Date is no time of Go',
    () => formatRfc3339(new Date(0) as never),
    'formatRfc3339 takes a time with `seconds`, `nanoseconds` and `offset`, not an object of the class Date (give what JSON.parse makes)',
  ],
];

test.each(cases)('%s', (_, call, told) => {
  expect(call).toThrow(new TypeError(told));
});
