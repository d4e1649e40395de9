import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderPairs, type SourceFile } from '../src/folder-pairs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** How many pairs of folders of a package may import each other both ways; packages without an entry have none. */
const limits = JSON.parse(
  readFileSync(new URL('folder-pairs.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, number>>;

test('finds folders that import each other, also the folder above', () => {
  const files = [
    { path: 'packages/x/src/a/one.ts', text: "import { two } from '../b/two.ts';" },
    { path: 'packages/x/src/b/two.ts', text: "export { three } from '../three.ts';" },
    { path: 'packages/x/src/three.ts', text: "const two = import('./b/two.ts');" },
  ];
  expect(folderPairs(files)).toEqual(
    new Map([['packages/x', ['packages/x/src <> packages/x/src/b']]]),
  );
});

test('no package has more folders that import each other than `folder-pairs.json` allows', () => {
  const pairs = folderPairs(sources());
  const above = [...pairs].filter(([home, found]) => found.length > (limits[home] ?? 0));
  expect(above).toEqual([]);
  const below = Object.entries(limits).filter(([home, most]) => pairs.get(home)?.length !== most);
  expect(below, 'lower these limits to the present number').toEqual([]);
});

function sources(): readonly SourceFile[] {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return list
    .split('\n')
    .filter((path) => path.includes('/src/') && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
