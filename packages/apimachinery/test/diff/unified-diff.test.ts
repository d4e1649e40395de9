import { unifiedDiff } from '@kubeadmit/apimachinery/unstable-internal';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';

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

  test('finds the same hunks as go-difflib', () => {
    const cases = readLines<RecordedDiff>(new URL('go-diffs.ndjson', import.meta.url));
    const wrong = cases.filter(
      ({ before, after, difference }) => unifiedDiff(before, after) !== difference,
    );
    expect(wrong).toEqual([]);
  });
});
