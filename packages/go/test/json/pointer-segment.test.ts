import { expect, test } from 'vitest';
import { escapePointerSegment, unescapePointerSegment } from '../../src/json/pointer-segment.ts';

test.each([
  ['a', 'a'],
  ['', ''],
  ['a/b', 'a~1b'],
  ['a~b', 'a~0b'],
  ['~1', '~01'],
  ['/~/', '~1~0~1'],
  ['example.com/a~1', 'example.com~1a~01'],
])('%j is the segment %j', (key, segment) => {
  expect(escapePointerSegment(key)).toBe(segment);
  expect(unescapePointerSegment(segment)).toBe(key);
});

test.each([
  ['~', '~'],
  ['~2', '~2'],
  ['~~1', '~/'],
  ['a~', 'a~'],
])('%j, which nobody should write, stands for %j', (segment, key) => {
  expect(unescapePointerSegment(segment)).toBe(key);
});
