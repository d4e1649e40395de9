import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../src/index.ts';

const root = folderUntil(afterAll);

test('a folder and those around it, for its owner alone', () => {
  const folder = join(root, 'a/b/c');
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  for (const path of ['a', 'a/b', 'a/b/c']) {
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
  }
});

test('a folder by a relative path', () => {
  makeFolder(relative(process.cwd(), join(root, 'x/y/')));
  expect(existsSync(join(root, 'x/y'))).toBe(true);
});

writeFileSync(join(root, 'file'), '');
symlinkSync(join(root, 'nowhere'), join(root, 'link'));

test.each([
  ['/proc/none/of/this', 'ENOENT'],
  [join(root, 'file/folder'), 'ENOTDIR'],
  // A link that leads nowhere.
  [join(root, 'link/folder'), 'ENOENT'],
])('%s cannot be made: %s', (folder, code) => {
  expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code }));
});
