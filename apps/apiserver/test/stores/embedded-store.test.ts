import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { EmbeddedStore } from '../../src/stores/embedded-store.ts';
import { LevelJournal } from '../../src/stores/level-journal.ts';
import { FailingJournal } from './failing-journal.ts';

test('writes concurrent changes to the disk together', async () => {
  const journal = new FailingJournal();
  const store = await EmbeddedStore.open(journal);
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => store.put(`/${index}`, 'x', { expected: 0 })),
  );
  expect(journal.entries.size).toBe(100);
  expect(journal.appends).toBeLessThan(5);
});

test('acknowledges no failed write, notifies no watch, and keeps working', async () => {
  const journal = new FailingJournal();
  const store = await EmbeddedStore.open(journal);
  await store.put('/a', '1', { expected: 0 });
  const watch = store.watch({ prefix: '/', after: 2 });
  journal.failure = 'nothing written';
  await expect(store.put('/b', '1', { expected: 0 })).rejects.toThrow('no space left');
  expect(store.problem?.message).toBe('no space left on device');
  expect(await store.get('/b')).toBeUndefined();
  expect(await store.revision()).toBe(2);
  expect(await store.put('/c', '1', { expected: 0 })).toEqual({ done: true, revision: 3 });
  expect(store.problem).toBeUndefined();
  for await (const event of watch) {
    expect(event).toMatchObject({ type: 'put', entry: { key: '/c', revision: 3 } });
    break;
  }
});

test('rejects writes with the reason while the disk is full', async () => {
  const journal = new FailingJournal();
  const store = await EmbeddedStore.open(journal);
  journal.failure = 'nothing written';
  journal.isStuck = true;
  await expect(store.put('/a', '1', { expected: 0 })).rejects.toThrow('no space left');
  await expect(store.put('/a', '1', { expected: 0 })).rejects.toThrow('still no space left');
  await store.recover();
  expect(store.problem?.message).toBe('still no space left on device');
  expect(await store.range({ prefix: '/' })).toMatchObject({ entries: [] });
  journal.isStuck = false;
  await store.recover();
  expect(store.problem).toBeUndefined();
  expect(await store.put('/a', '1', { expected: 0 })).toEqual({ done: true, revision: 2 });
});

test('keeps data that reached the disk although the write failed', async () => {
  const journal = new FailingJournal();
  const store = await EmbeddedStore.open(journal);
  const watch = store.watch({ prefix: '/', after: 1 });
  journal.failure = 'all written';
  await expect(store.put('/a', '1', { expected: 0 })).rejects.toThrow();
  await store.recover();
  expect(await store.get('/a')).toEqual({ key: '/a', value: '1', revision: 2 });
  expect(await store.put('/b', '1', { expected: 0 })).toEqual({ done: true, revision: 3 });
  const keys: string[] = [];
  for await (const event of watch) {
    if (event.type === 'put') keys.push(event.entry.key);
    if (keys.length === 2) break;
  }
  expect(keys).toEqual(['/a', '/b']);
});

test('locks a folder for one process at a time', async () => {
  const folder = folderUntil(onTestFinished);
  const store = await EmbeddedStore.open(new LevelJournal(folder));
  await expect(EmbeddedStore.open(new LevelJournal(folder))).rejects.toThrow(
    `${folder} is in use by another process`,
  );
  await store.close();
});
