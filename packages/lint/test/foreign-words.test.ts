import { expect, test } from 'vitest';
import { foreignWords } from '../src/expressions/foreign-words.ts';

const written = (text: string) => foreignWords(text).map((each) => each.written);

test.each([
  ['a === b', ['===']],
  ['"===" and b', ['and']],
  ['"""a""" and b', ['and']],
  ['a and "b === c', ['and']],
  ["a and '''b === c", ['and']],
])('%s has the words %j', (text, words) => {
  expect(written(text)).toEqual(words);
});

// A search that starts again at each quote takes hours.
test.each([
  ['escaped quotes', '\\"', '"'],
  ['escaped apostrophes', "\\'", "'"],
  ['blocks without an end', '""" \'\'\' ', ''],
])('reads a string of many %s once', (_name, text, start) => {
  expect(written(`${start}${text.repeat(300_000)}`)).toEqual([]);
});
