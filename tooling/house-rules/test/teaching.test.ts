import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import teaching from './teaching.json' with { type: 'json' };

// Which cases a newcomer reads to learn the purpose of a source folder. The README of a package covers the files in
// `src` itself, and its examples are run.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'packages'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const folders = new Set(
  sources
    .filter((path) => /^packages\/[^/]+\/src\/.+\.ts$/.test(path))
    .map(dirname)
    .filter((path) => !path.endsWith('/src')),
);

test('every source folder has cases to learn it from', () => {
  expect(Object.keys(teaching).sort()).toEqual([...folders].sort());
});

test.each(Object.entries(teaching))('%s: %s', (_, cases) => {
  expect(existsSync(join(root, cases))).toBe(true);
});
