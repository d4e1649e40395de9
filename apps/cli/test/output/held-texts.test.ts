import { expect, test } from 'vitest';
import { HeldTexts } from '../../src/output/held-texts.ts';

test.each([1, 20, 1000])('texts come back in order, %d characters of them from memory', (limit) => {
  const held = new HeldTexts(limit);
  const expected = new Map<string, string>();
  for (let index = 0; index < 200; index++) {
    const key = `key ${index % 7}`;
    const text = `${index}: é 漢 😀\n`.repeat(index % 4);
    held.hold(key, text);
    expected.set(key, (expected.get(key) ?? '') + text);
  }
  expect([...held.keys].sort()).toEqual([...expected.keys()].sort());
  for (const [key, text] of expected) expect([...held.take(key)].join('')).toBe(text);
  expect(held.keys).toEqual([]);
  held.hold('key 1', 'anew');
  expect([...held.take('key 1')]).toEqual(['anew']);
  expect([...held.take('nothing')]).toEqual([]);
});

test('long texts come back from the file in pieces, with no character broken', () => {
  const text = `${'a'.repeat(13)}é漢😀`.repeat(20_000);
  const held = new HeldTexts(1);
  held.hold('key', text);
  const pieces = [...held.take('key')];
  expect(pieces.join('')).toBe(text);
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2 ** 16);
});
