import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { listManifests } from '../src/index.ts';

const root = folderUntil(afterAll);

function folder(name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Returns the files and problems found below a folder, with paths relative to it. */
function found(path: string): readonly string[] {
  const { files, problems } = listManifests([path]);
  return [
    ...files.map((file) => relative(path, file.path)),
    ...problems.map((each) => `${relative(path, each.path)}: ${each.message}`),
  ];
}

test('manifests of a folder and those in it, by name, and no suites of tests', () => {
  const path = folder('plain');
  folder('plain/inner');
  const names = ['b.yml', 'a.yaml', 'inner/c.json', 'd.admit.yaml', 'e.txt', '.hidden.yaml'];
  for (const name of names) writeFileSync(join(path, name), '');
  expect(found(path)).toEqual(['a.yaml', 'b.yml', 'inner/c.json']);
});

test('a volume as kubelet mounts it: links into a folder that is replaced', () => {
  const path = folder('mounted');
  writeFileSync(join(folder('mounted/..2026'), 'policy.yaml'), '');
  symlinkSync('..2026', join(path, '..data'));
  symlinkSync('..data/policy.yaml', join(path, 'policy.yaml'));
  expect(found(path)).toEqual(['policy.yaml']);
});

test('links to folders, those that lead back and those that lead nowhere', () => {
  const path = folder('linked');
  writeFileSync(join(folder('elsewhere'), 'a.yaml'), '');
  symlinkSync('../elsewhere', join(path, 'there'));
  symlinkSync('.', join(path, 'back'));
  symlinkSync('nowhere', join(path, 'lost.yaml'));
  expect(found(path)).toEqual(['there/a.yaml', 'lost.yaml: no such file or directory']);
});

test('lists a folder once, however many links lead to it', () => {
  const path = folder('many');
  // Without that, 20 folders with two links each to the next one would be listed a million times.
  for (let depth = 0; depth < 20; depth++) {
    const level = folder(`many/${depth}`);
    for (const name of ['x', 'y']) symlinkSync(`../${depth + 1}`, join(level, name));
  }
  writeFileSync(join(folder('many/20'), 'a.yaml'), '');
  expect(found(path)).toEqual(['0/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/a.yaml']);
});

test('reads regular files only, and no pipes', () => {
  const path = folder('piped');
  symlinkSync('/dev/null', join(path, 'device.yaml'));
  expect(found(path)).toEqual(['device.yaml: not a regular file']);
});

test('a path that leads nowhere', () => {
  expect(found(join(root, 'none'))).toEqual([': no such file or directory']);
});
