import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderPairs, type SourceFile } from '../src/folder-pairs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

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

test('no folders of a package import each other both ways', () => {
  const pairs = [...folderPairs(sources())].filter(([, found]) => found.length > 0);
  expect(pairs, 'move the files that both need to a folder below both').toEqual([]);
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
