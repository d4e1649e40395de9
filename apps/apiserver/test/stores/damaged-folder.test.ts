import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { ClassicLevel } from 'classic-level';
import { expect, onTestFinished, test } from 'vitest';
import { loadClusterKeys } from '../../src/certificates/cluster-keys.ts';
import { EmbeddedStore } from '../../src/stores/embedded-store.ts';
import { KeysInMemory } from '../../src/stores/key-place.ts';
import { LevelJournal } from '../../src/stores/level-journal.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { StoreError } from '../../src/stores/store-error.ts';

async function writtenFolder(): Promise<string> {
  const folder = join(folderUntil(onTestFinished), 'objects');
  const store = await EmbeddedStore.open(new LevelJournal(folder));
  for (let i = 0; i < 50; i++) {
    await store.put(`/c/${i}`, `{"a":"${'x'.repeat(2000)}"}`, { expected: 0 });
  }
  await store.close();
  return folder;
}

async function startProblem(folder: string): Promise<string> {
  try {
    const { store } = await openStore({ type: 'folder', folder: dirname(folder) });
    await store.close();
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }
}

function logOf(folder: string): string {
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.log')) ?? '');
}

test.each([
  ['revision', 'nope', 'FOLDER: the revision is `nope`; restore the folder from a backup'],
  ['revision', '', 'FOLDER: the revision is ``; restore the folder from a backup'],
  [
    'entry:/c/x',
    'nonsense',
    'FOLDER: the entry /c/x is not an object; restore the folder from a backup',
  ],
  [
    'entry:/c/x',
    '5 {"kind":',
    'FOLDER: the entry /c/x is not an object; restore the folder from a backup',
  ],
  ['format', '2', 'FOLDER has format 2, and this program reads format 1'],
])('a folder with %s `%s` is not started on', async (key, value, message) => {
  const folder = await writtenFolder();
  const database = new ClassicLevel(folder);
  await database.put(key, value);
  await database.close();
  expect(await startProblem(folder)).toContain(message);
});

test('does not start with a folder that has lost its first file', async () => {
  const folder = await writtenFolder();
  const before = readdirSync(folder);
  const current = readFileSync(join(folder, 'CURRENT'));
  rmSync(join(folder, 'CURRENT'));
  expect(await startProblem(folder)).toMatch(
    /^FOLDER contains objects that cannot be read without the missing file CURRENT;/,
  );
  writeFileSync(join(folder, 'CURRENT'), current);
  expect(readdirSync(folder)).toEqual(before);
  expect(await startProblem(folder)).toBe('');
});

test('reports and keeps a damaged journal, and then starts with the rest', async () => {
  const folder = await writtenFolder();
  const file = logOf(folder);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill('garbage', 50_000, 50_100));
  expect(await startProblem(folder)).toMatch(
    /^FOLDER is damaged: \d+ bytes of its journal cannot be read.* kept as FOLDER\/\d+\.log\.kept;/,
  );
  const kept = readdirSync(folder).find((name) => name.endsWith('.kept')) ?? '';
  expect(readFileSync(join(folder, kept)).equals(bytes)).toBe(true);
  expect(await startProblem(folder)).toBe('');
});

test('accepts a journal that ends in the middle of a write, as after a power failure', async () => {
  const folder = await writtenFolder();
  const file = logOf(folder);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length - 1000));
  expect(await startProblem(folder)).toBe('');
  expect(readdirSync(folder).filter((name) => name.endsWith('.kept'))).toEqual([]);
});

test('does not create new keys for existing objects without --new-keys', async () => {
  const folder = dirname(await writtenFolder());
  const load = async (newKeys: boolean) => {
    const { store, keys } = await openStore({ type: 'folder', folder, newKeys });
    return loadClusterKeys(keys, Date.parse('2026-11-22')).finally(() => store.close());
  };
  const problem =
    /objects contains the objects of a cluster, but its key .*keys\/(ca.json|sa.key) is missing; .* --new-keys/;
  await expect(load(false)).rejects.toThrow(problem);
  await expect(load(false)).rejects.toThrow(StoreError);
  expect(existsSync(join(folder, 'keys'))).toBe(false);
  const made = await load(true);
  expect(await load(false)).toEqual(made);
  rmSync(join(folder, 'keys', 'sa.key'));
  await expect(load(false)).rejects.toThrow(/keys\/sa.key is missing; .* --new-keys/);
});

test('reports a folder that cannot be created', async () => {
  const start = openStore({ type: 'folder', folder: '/proc/kubeadmit/data' });
  await expect(start).rejects.toThrow(/^\/proc\/kubeadmit\/data cannot store the data: ENOENT/);
});

test.each([
  ['ca.json', 'nonsense', /^cannot read the authority of the cluster \(ca.json\): .*; restore it/],
  [
    'ca.json',
    '{"certificate":"x","key":"y"}',
    /^cannot read the authority of the cluster \(ca.json\): /,
  ],
  [
    'sa.key',
    'nonsense',
    /^cannot read the key of service accounts of the cluster \(sa.key\): .*; restore it/,
  ],
])('reports an invalid key %s: `%s`', async (name, text, message) => {
  const place = new KeysInMemory();
  await place.create(name, text);
  const error = await loadClusterKeys(place, Date.parse('2026-11-22')).catch((each) => each);
  expect(error).toBeInstanceOf(StoreError);
  expect(error.message).toMatch(message);
});
