import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../src/kinds/unified-diff.ts';

interface RecordedDiff {
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

describe('unifiedDiff', () => {
  test('shows changed lines with three lines around them', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
    expect(unifiedDiff(before, before.replace('e', 'x'))).toBe(
      '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+x\n f\n g\n h\n',
    );
  });

  test('is empty for equal texts', () => {
    expect(unifiedDiff('a\nb', 'a\nb')).toBe('');
  });

  // The search for equal lines takes cubic time: one update of a pod kept the server busy for minutes.
  test('compares long texts of few different lines in less than a minute', () => {
    const lines = (factor: number): string =>
      Array.from({ length: 250_000 }, (_, i) => (Math.imul(i + 1, factor) >>> 8) % 120).join('\n');
    const hunks = unifiedDiff(lines(2_654_435_761), lines(40_503_001));
    expect(hunks.startsWith('@@ ')).toBe(true);
  }, 60_000);

  test('finds the same hunks as go-difflib', () => {
    const cases = readLines<RecordedDiff>(new URL('go-diffs.ndjson', import.meta.url));
    const wrong = cases.filter(
      ({ before, after, difference }) => unifiedDiff(before, after) !== difference,
    );
    expect(wrong).toEqual([]);
  });
});
