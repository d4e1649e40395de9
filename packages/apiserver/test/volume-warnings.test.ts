import { expect, test } from 'vitest';
import { volumeWarnings } from '../src/warnings/volume-warnings.ts';

const volume = (paths: readonly string[]) => ({
  volumes: [{ name: 'v', configMap: { name: 'c', items: paths.map((path) => ({ path })) } }],
});

test('warns about files of a volume whose paths overlap', () => {
  expect(volumeWarnings(volume(['a/', 'b', 'a/b', 'b']), 'spec')).toEqual([
    'volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a"',
    'volume "v" (ConfigMap "c"): overlapping paths: "b" with "b"',
  ]);
});

// Each pair has a warning, so a pod of 1 MB would have billions.
test('stops at a thousand warnings', () => {
  const paths = Array.from({ length: 50_000 }, () => 'a');
  expect(volumeWarnings(volume(paths), 'spec')).toHaveLength(1000);
});

test('reads a path of a million slashes once', () => {
  expect(volumeWarnings(volume([`${'/'.repeat(1_000_000)}x`, 'y']), 'spec')).toEqual([]);
});
