import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ROOT } from '../src/documents.ts';

const ROW = /^\| `(conformance\/[\w/-]+)` \| over ([\d,]+) \|/gm;

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const rows = [...readme.matchAll(ROW)].map(([, folder = '', count = '']) => ({ folder, count }));

test.each(rows)('$folder has at least $count cases', ({ folder, count }) => {
  const recorded = readdirSync(join(ROOT, folder))
    .map((name) => linesOf(join(ROOT, folder, name)))
    .reduce((sum, count) => sum + count, 0);
  expect(recorded).toBeGreaterThanOrEqual(Number(count.replaceAll(',', '')));
});

test('the README has the number of known differences', () => {
  const gaps = JSON.parse(readFileSync(join(ROOT, 'conformance/known-gaps.json'), 'utf8'));
  expect(readme).toContain(`the ${Object.keys(gaps).length} known differences`);
});

function linesOf(file: string): number {
  if (file.endsWith('.ndjson')) return readLines(file, String).length;
  if (!file.endsWith('.ndjson.gz')) return 0;
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  return text.split('\n').filter((line) => line !== '').length;
}
