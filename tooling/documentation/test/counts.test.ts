import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ROOT } from '../src/documents.ts';

const ROW = /^\| `(conformance\/[\w/-]+)` \| ([\d,]+) \|/gm;

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const rows = [...readme.matchAll(ROW)].map(([, folder = '', count = '']) => ({ folder, count }));

test.each(rows)('$folder has at least $count cases', ({ folder, count }) => {
  const recorded = readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readLines(join(ROOT, folder, name), String)).length;
  expect(recorded).toBeGreaterThanOrEqual(Number(count.replaceAll(',', '')));
});
