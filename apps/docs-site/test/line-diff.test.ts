import { describe, expect, test } from 'vitest';
import { diffLines, withoutFarLines } from '../src/playground/line-diff.ts';

const signs = { same: ' ', added: '+', removed: '-' } as const;

function shown(before: string, after: string): string[] {
  return diffLines(before, after).map(({ kind, text }) => signs[kind] + text);
}

describe('diffLines', () => {
  test.each([
    ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
    ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['a\nb', 'a\nx', [' a', '-b', '+x']],
    ['a\nb\nc\nd', 'b\nc\nd\ne', ['-a', ' b', ' c', ' d', '+e']],
  ])('%j to %j', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  test('takes texts of many lines as wholly changed', () => {
    const long = Array.from({ length: 2_000 }, (_, i) => String(i)).join('\n');
    expect(diffLines(long, 'a')).toHaveLength(2_001);
  });
});

test('leaves out lines far from changes', () => {
  const before = Array.from({ length: 20 }, (_, i) => String(i)).join('\n');
  const lines = withoutFarLines(diffLines(before, `${before}\nnew`), 2);
  expect(lines.map((line) => line?.text)).toEqual(['18', '19', 'new']);
  const both = withoutFarLines(diffLines(before, `first\n${before}\nlast`), 1);
  expect(both.map((line) => line?.text)).toEqual(['first', '0', undefined, '19', 'last']);
});
