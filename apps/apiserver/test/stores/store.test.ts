import { randomUUID } from 'node:crypto';
import { ApiClient, type ApiServer, createApiServer, serverUser } from '@kubeadmit/apiserver';
import {
  CompactedError,
  MemoryStore,
  type Store,
  type StoreEvent,
  type StoreWatch,
} from '@kubeadmit/apiserver/store';
import { loadSchemas } from '@kubeadmit/schemas';
import { createFolder, removeFolder } from '@kubeadmit/test-support';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { EmbeddedStore } from '../../src/stores/embedded-store.ts';
import { EtcdClient } from '../../src/stores/etcd-client.ts';
import { EtcdStore } from '../../src/stores/etcd-store.ts';
import { LevelJournal } from '../../src/stores/level-journal.ts';
import { EtcdServer, findEtcd } from './etcd-server.ts';

const schemas = await loadSchemas();
const etcdProgram = findEtcd();
let etcd: EtcdServer | undefined;
let count = 0;

/** A kind of store and a function to open it; opening it again returns the same store if it is persistent. */
interface Kind {
  readonly name: string;
  readonly isKept: boolean;
  open(place: string): Promise<Store>;
}

const kinds: readonly Kind[] = [
  { name: 'memory', isKept: false, open: async () => new MemoryStore() },
  {
    name: 'embedded',
    isKept: true,
    open: (place) => EmbeddedStore.open(new LevelJournal(place)),
  },
  {
    name: 'etcd',
    isKept: true,
    open: async (place) => new EtcdStore(new EtcdClient([etcd?.url ?? '']), place),
  },
];

beforeAll(async () => {
  if (etcdProgram !== undefined) etcd = await EtcdServer.start(etcdProgram);
});
afterAll(() => etcd?.stop());

describe.each(kinds)('the $name store', (kind) => {
  const isMissing = kind.name === 'etcd' && etcdProgram === undefined;
  let place: string;
  let store: Store;
  let start: number;

  beforeEach(async (context) => {
    context.skip(isMissing, 'no etcd on this machine');
    place = kind.name === 'etcd' ? `/suite-${count++}` : createFolder();
    store = await kind.open(place);
    start = await store.revision();
  });
  afterEach(async () => {
    if (isMissing) return;
    await store.close();
    if (kind.name !== 'etcd') removeFolder(place);
  });

  test('starts empty with a revision above zero', async () => {
    expect(start).toBeGreaterThan(0);
    expect(await store.range({ prefix: '/' })).toEqual({
      entries: [],
      revision: start,
      remaining: 0,
    });
    expect(await store.get('/a')).toBeUndefined();
  });

  test('never assigns a service address twice when several servers share the store', async () => {
    const own = kind.name === 'etcd' ? await kind.open(place) : store;
    const servers = [store, own].map(serverOf);
    const clients = servers.map((server) => new ApiClient(server, serverUser, 'test'));
    const services = Array.from({ length: 12 }, async (_, i) => {
      const given = i < 4 ? { clusterIP: '10.0.9.9', ports: [{ port: 80, nodePort: 30_009 }] } : {};
      const spec = { type: 'NodePort', ports: [{ port: 80 }], ...given };
      const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: `s${i}` }, spec };
      const path = '/api/v1/namespaces/default/services';
      return clients[i % 2]?.ask({ method: 'POST', path, body });
    });
    const answers = await Promise.all(services);
    const statuses = answers.map((answer) => answer?.status);
    expect(statuses.slice(0, 4).sort(byNumber)).toEqual([201, 422, 422, 422]);
    expect(statuses.slice(4)).toEqual(statuses.slice(4).map(() => 201));
    const places = answers.flatMap((answer) => {
      const { clusterIP, ports } = (answer?.object['spec'] ?? {}) as ServiceSpec;
      return answer?.status === 201 ? [clusterIP, ports?.[0]?.nodePort] : [];
    });
    expect(new Set(places).size).toBe(18);
    await Promise.all(servers.map((server) => server.close()));
    if (own !== store) await own.close();
  });

  test('writes only if the stored version is the expected one', async () => {
    const created = await written(store.put('/a', '1', { expected: 0 }));
    expect(created).toBe(start + 1);
    const entry = { key: '/a', value: '1', revision: created };
    expect(await store.put('/a', '2', { expected: 0 })).toEqual({ done: false, current: entry });
    expect(await store.put('/b', '2', { expected: 5 })).toEqual({
      done: false,
      current: undefined,
    });
    const changed = await written(store.put('/a', '2', { expected: created }));
    expect(changed).toBe(start + 2);
    expect(await store.delete('/a', { expected: created })).toEqual({
      done: false,
      current: { key: '/a', value: '2', revision: changed },
    });
    expect(await written(store.delete('/a', { expected: changed }))).toBe(start + 3);
    expect(await store.delete('/a', { expected: changed })).toEqual({
      done: false,
      current: undefined,
    });
    expect(await store.delete('/a', { expected: 0 })).toEqual({ done: false, current: undefined });
    expect(await store.get('/a')).toBeUndefined();
    expect(await store.revision()).toBe(start + 3);
  });

  test('lets one of many writers win, each time', async () => {
    let revision = await written(store.put('/a', '0', { expected: 0 }));
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all(
        Array.from({ length: 16 }, (_, writer) =>
          store.put('/a', `${round}.${writer}`, { expected: revision }),
        ),
      );
      const winners = results.filter((result) => result.done);
      expect(winners).toHaveLength(1);
      revision = (await store.get('/a'))?.revision ?? 0;
      expect(winners).toEqual([{ done: true, revision }]);
    }
  });

  test('assigns separate revisions to concurrent writes', async () => {
    const revisions = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        written(store.put(`/many/${String(index).padStart(2, '0')}`, 'x', { expected: 0 })),
      ),
    );
    expect(new Set(revisions).size).toBe(50);
    const { entries, revision } = await store.range({ prefix: '/many/' });
    expect(entries.map((entry) => entry.revision)).toEqual(revisions);
    expect(revision).toBe(Math.max(...revisions));
  });

  test('orders keys by their bytes and cuts ranges', async () => {
    for (const key of ['/r/b', '/r/ä', '/r/a', '/r/a/b', '/r/\u{1f600}', '/r/\uffee', '/s']) {
      await written(store.put(key, key, { expected: 0 }));
    }
    const keys = async (options: object): Promise<string> => {
      const { entries, remaining } = await store.range({ prefix: '/r/', ...options });
      return `${entries.map(({ key }) => key.slice(3)).join(' ')} +${remaining}`;
    };
    expect(await keys({})).toBe('a a/b b ä \uffee \u{1f600} +0');
    expect(await keys({ limit: 2 })).toBe('a a/b +4');
    expect(await keys({ limit: 2, start: '/r/a/b\0' })).toBe('b ä +2');
    expect(await keys({ start: '/a' })).toBe('a a/b b ä \uffee \u{1f600} +0');
    expect(await keys({ start: '/z' })).toBe(' +0');
  });

  test('stores strings unchanged', async () => {
    const text = JSON.stringify({
      a: 'ä\u{1f600}\u2028\0"\\',
      b: 2 ** 53,
      long: 'x'.repeat(500_000),
    });
    await written(store.put('/text', text, { expected: 0 }));
    expect((await store.get('/text'))?.value).toBe(text);
  });

  test('returns ranges at an earlier revision', async () => {
    await store.put('/b', '1', { expected: 0 });
    const first = await written(store.put('/a', '1', { expected: 0 }));
    await store.put('/c', '1', { expected: 0 });
    await store.put('/a', '2', { expected: first });
    await store.delete('/b', { expected: start + 1 });
    const at = async (revision: number): Promise<string> => {
      const { entries, revision: now } = await store.range({ prefix: '/', revision });
      expect(now).toBe(start + 5);
      return entries.map(({ key, value }) => key + value).join(' ');
    };
    expect(await at(start + 2)).toBe('/a1 /b1');
    expect(await at(start + 3)).toBe('/a1 /b1 /c1');
    expect(await at(start + 4)).toBe('/a2 /b1 /c1');
    expect(await at(start + 5)).toBe('/a2 /c1');
    await store.compact(start + 4);
    expect(await at(start + 4)).toBe('/a2 /b1 /c1');
    await expect(store.range({ prefix: '/', revision: start + 3 })).rejects.toThrow(CompactedError);
  });

  test('reports changes from a revision on, each once and in order', async () => {
    await store.put('/w/1', '1', { expected: 0 });
    await store.put('/w/1', '2', { expected: start + 1 });
    await store.put('/x/1', '1', { expected: 0 });
    const watch = store.watch({ prefix: '/w/', after: start + 1 });
    const events = take(watch, 3);
    await store.delete('/w/1', { expected: start + 2 });
    await store.put('/w/1', '3', { expected: 0 });
    expect(await events).toEqual([
      {
        type: 'put',
        entry: { key: '/w/1', value: '2', revision: start + 2 },
        previous: { key: '/w/1', value: '1', revision: start + 1 },
      },
      {
        type: 'delete',
        revision: start + 4,
        previous: { key: '/w/1', value: '2', revision: start + 2 },
      },
      { type: 'put', entry: { key: '/w/1', value: '3', revision: start + 5 } },
    ]);
  });

  test('reports the revision of a watch', async () => {
    const watch = store.watch({ prefix: '/p/', after: start });
    const events = take(watch, 2);
    await store.put('/p/1', '1', { expected: 0 });
    await store.put('/q/1', '1', { expected: 0 });
    await settle();
    watch.requestProgress();
    const [event, progress] = await events;
    expect(event).toMatchObject({ type: 'put', entry: { key: '/p/1' } });
    expect(progress).toEqual({ type: 'progress', revision: start + 2 });
  });

  test('ends watches that start before the oldest stored revision', async () => {
    const first = await written(store.put('/a', '1', { expected: 0 }));
    const second = await written(store.put('/a', '2', { expected: first }));
    await store.put('/a', '3', { expected: second });
    await store.compact(second + 1);
    await expect(take(store.watch({ prefix: '/', after: first - 1 }), 1)).rejects.toThrow(
      CompactedError,
    );
  });

  test('ends watches that are aborted, and those of a store that is closed', async () => {
    const abort = new AbortController();
    const aborted = take(store.watch({ prefix: '/', after: start, signal: abort.signal }), 1);
    const open = take(store.watch({ prefix: '/', after: start }), 1);
    abort.abort();
    expect(await aborted).toEqual([]);
    await store.close();
    expect(await open).toEqual([]);
    store = await kind.open(place);
  });

  test.runIf(kind.isKept)('has everything when it is opened again', async () => {
    const first = await written(store.put('/a', '1', { expected: 0 }));
    const second = await written(store.put('/a', '2', { expected: first }));
    const third = await written(store.put('/b', '1', { expected: 0 }));
    await store.delete('/b', { expected: third });
    await store.close();
    store = await kind.open(place);
    expect(await store.range({ prefix: '/' })).toEqual({
      entries: [{ key: '/a', value: '2', revision: second }],
      revision: start + 4,
      remaining: 0,
    });
    expect(await written(store.put('/b', '2', { expected: 0 }))).toBe(start + 5);
  });
});

describe.skipIf(etcdProgram === undefined)('two stores on one etcd', () => {
  test('see each other, and continue after etcd was unavailable', async () => {
    const url = etcd?.url ?? '';
    const [one, other] = [0, 1].map(() => new EtcdStore(new EtcdClient([url]), '/shared'));
    if (!one || !other) throw new Error('no stores');
    const events = take(other.watch({ prefix: '/', after: await other.revision() }), 2);
    const first = await written(one.put('/a', '1', { expected: 0 }));
    expect((await other.get('/a'))?.value).toBe('1');
    await etcd?.kill();
    await expect(one.put('/a', '2', { expected: first })).rejects.toThrow();
    await etcd?.run();
    await expect.poll(() => one.get('/a').catch(() => undefined)).toBeDefined();
    const current = (await one.get('/a'))?.revision ?? 0;
    await written(one.put('/a', '3', { expected: current }));
    const [, second] = await events;
    expect(second).toMatchObject({ type: 'put', previous: { key: '/a' } });
    await one.close();
    await other.close();
  });
});

interface ServiceSpec {
  readonly clusterIP?: string;
  readonly ports?: readonly { readonly nodePort?: number }[];
}

function serverOf(store: Store): ApiServer {
  return createApiServer({
    store,
    schemas,
    clock: systemClock,
    randomUid: randomUUID,
    controllers: false,
    tokens: {
      audiences: [],
      issue: async () => ({ token: '', expirationTimestamp: '' }),
      certificateAuthority: '',
    },
  });
}

function byNumber(a = 0, b = 0): number {
  return a - b;
}

async function written(result: ReturnType<Store['put']>): Promise<number> {
  const answer = await result;
  if (!answer.done) throw new Error('the write was refused');
  return answer.revision;
}

async function take(watch: StoreWatch, wanted: number): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  for await (const event of watch) {
    events.push(event);
    if (events.length === wanted) break;
  }
  return events;
}

/** Lets events on their way arrive. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
