import { compareText } from '@kubeadmit/go';
import { Random } from '@kubeadmit/random';
import { expect, test } from 'vitest';
import {
  CompactedError,
  EventQueue,
  MemoryStore,
  type StoreEvent,
  type StoreWatch,
} from '../src/store.ts';

async function take(watch: StoreWatch, count: number): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  if (count === 0) return events;
  for await (const event of watch) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

test('writes only if the stored version is the expected one', async () => {
  const store = new MemoryStore();
  expect(await store.put('/a', '1', { expected: 0 })).toEqual({ done: true, revision: 2 });
  expect(await store.put('/a', '2', { expected: 0 })).toEqual({
    done: false,
    current: { key: '/a', value: '1', revision: 2 },
  });
  expect(await store.put('/a', '2', { expected: 2 })).toEqual({ done: true, revision: 3 });
  expect(await store.delete('/a', { expected: 2 })).toMatchObject({ done: false });
  expect(await store.delete('/a', { expected: 3 })).toEqual({ done: true, revision: 4 });
  expect(await store.delete('/a', { expected: 3 })).toEqual({ done: false, current: undefined });
  expect(await store.get('/a')).toBeUndefined();
});

test('returns ranges at an earlier revision', async () => {
  const store = new MemoryStore();
  await store.put('/b', '1', { expected: 0 });
  await store.put('/a', '1', { expected: 0 });
  await store.put('/c', '1', { expected: 0 });
  await store.put('/a', '2', { expected: 3 });
  await store.delete('/b', { expected: 2 });
  const keysAndValues = async (options: object): Promise<string> => {
    const { entries, remaining } = await store.range({ prefix: '/', ...options });
    return `${entries.map(({ key, value }) => key + value).join(' ')} +${remaining}`;
  };
  expect(await keysAndValues({})).toBe('/a2 /c1 +0');
  expect(await keysAndValues({ limit: 1 })).toBe('/a2 +1');
  expect(await keysAndValues({ start: '/a\0' })).toBe('/c1 +0');
  expect(await keysAndValues({ revision: 4 })).toBe('/a1 /b1 /c1 +0');
  expect(await keysAndValues({ revision: 3, limit: 1, start: '/b' })).toBe('/b1 +0');
  await store.compact(5);
  await expect(store.range({ prefix: '/', revision: 4 })).rejects.toThrow(CompactedError);
});

test('reports changes from a revision on, each once', async () => {
  const store = new MemoryStore();
  await store.put('/a/1', '1', { expected: 0 });
  await store.put('/a/1', '2', { expected: 2 });
  await store.put('/b/1', '1', { expected: 0 });
  const watch = store.watch({ prefix: '/a/', after: 2 });
  await store.delete('/a/1', { expected: 3 });
  watch.requestProgress();
  expect(await take(watch, 3)).toEqual([
    {
      type: 'put',
      entry: { key: '/a/1', value: '2', revision: 3 },
      previous: { key: '/a/1', value: '1', revision: 2 },
    },
    { type: 'delete', revision: 5, previous: { key: '/a/1', value: '2', revision: 3 } },
    { type: 'progress', revision: 5 },
  ]);
  await store.compact(4);
  await expect(take(store.watch({ prefix: '/', after: 3 }), 1)).rejects.toThrow(CompactedError);
});

test('ends watches that are aborted and readers that are too slow', async () => {
  const store = new MemoryStore({ capacity: 2 });
  const abort = new AbortController();
  const watch = store.watch({ prefix: '/', after: 1, signal: abort.signal });
  abort.abort();
  expect(await take(watch, 1)).toEqual([]);
  const slow = store.watch({ prefix: '/', after: 1 });
  for (const key of ['/a', '/b', '/c']) await store.put(key, '1', { expected: 0 });
  await expect(take(slow, 3)).rejects.toThrow('too slow');
});

test('a watch whose reader has closed reports nothing', async () => {
  const store = new MemoryStore();
  const watch = store.watch({ prefix: '/', after: 1, signal: AbortSignal.abort() });
  await store.put('/a', '1', { expected: 0 });
  for await (const event of watch) expect(event).toBeUndefined();
});

test('keeps its keys sorted after any number of changes', async () => {
  const random = new Random(5);
  const store = new MemoryStore();
  const known = new Map<string, number>();
  const change = async (): Promise<void> => {
    const key = `/${random.pick(['a', '\u{10000}', '\uffff'])}${random.below(90)}`;
    const expected = known.get(key);
    const result =
      expected === undefined || random.chance(0.3)
        ? await store.put(key, 'x', { expected: expected ?? 0 })
        : await store.delete(key, { expected });
    if (!result.done) throw new Error(key);
    known.delete(key);
    if ((await store.get(key)) !== undefined) known.set(key, result.revision);
  };
  for (let round = 0; round < 60; round++) {
    for (let i = random.pick([0, 1, 5, 16, 17, 100]); i > 0; i--) await change();
    const { entries } = await store.range({ prefix: '/' });
    expect(entries.map(({ key }) => key)).toEqual([...known.keys()].sort(compareText));
  }
});

// A tenant who may change one object could otherwise fill the memory of the server.
test('forgets large changes, and ends watches that still wait to read them', async () => {
  const store = new MemoryStore();
  const slow = store.watch({ prefix: '/', after: 1 });
  const value = 'x'.repeat(1024 * 1024);
  let expected = 0;
  for (let i = 0; i < 200; i++) {
    const written = await store.put('/a', value, { expected });
    expected = written.done ? written.revision : 0;
  }
  await expect(store.range({ prefix: '/', revision: 10 })).rejects.toThrow(CompactedError);
  expect((await store.range({ prefix: '/', revision: expected - 10 })).entries).toHaveLength(1);
  await expect(take(slow, 1)).rejects.toThrow('too slow');
  const watch = store.watch({ prefix: '/', after: expected - 1 });
  expect(await take(watch, 1)).toMatchObject([{ entry: { revision: expected } }]);
});

test('ends a watch whose waiting events are too large', async () => {
  let hasEnded = false;
  const onEnd = (): void => {
    hasEnded = true;
  };
  const queue = new EventQueue({
    capacity: 10,
    mostCharacters: 5,
    onProgressRequested() {},
    onEnd,
  });
  const put = (revision: number): void =>
    queue.push({ type: 'put', entry: { key: '/a', value: 'xxx', revision } });
  put(2);
  put(3);
  expect(hasEnded).toBe(true);
});
