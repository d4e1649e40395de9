import { loadPlugins } from '@kubeadmit/admission/plugins';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { ClusterState } from '../src/cluster/cluster-state.ts';
import { ObjectCache } from '../src/store/object-cache.ts';
import type { StoreWatch, WatchOptions } from '../src/store/store.ts';
import { MemoryStore } from '../src/store.ts';

/** A store whose first watch breaks, and that cannot be read for a while then. */
class BreakingStore extends MemoryStore {
  #started = 0;
  #failures = 2;

  override watch(options: WatchOptions): StoreWatch {
    this.#started++;
    if (this.#started > 1) return super.watch(options);
    const broken = super.watch(options);
    return {
      requestProgress: () => {},
      async *[Symbol.asyncIterator]() {
        yield* (async function* () {
          for await (const event of broken) {
            yield event;
            throw new Error('the connection is lost');
          }
        })();
      },
    };
  }

  override async revision(): Promise<number> {
    if (this.#started === 1 && this.#failures-- > 0) throw new Error('the store is gone');
    return super.revision();
  }
}

test('keeps its state while the store is unreachable, and resumes afterwards', async () => {
  const store = new BreakingStore();
  const namespace = (name: string): string =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await store.put('/registry/namespaces/a', namespace('a'), { expected: 0 });
  const state = new ClusterState({
    store,
    cache: new ObjectCache(),
    schemas: await loadSchemas(),
    kubernetesVersion: '1.37',
    allowsEverything: false,
    clock: { now: () => 0, sleep: () => new Promise((resolve) => setTimeout(resolve, 10)) },
    randomUid: () => crypto.randomUUID(),
    plugins: await loadPlugins({ plugins: 'none', minor: 37 }),
  });
  await state.start();
  expect([...state.namespaces.keys()]).toEqual(['a']);
  await store.put('/registry/namespaces/b', namespace('b'), { expected: 0 });
  await store.put('/registry/namespaces/c', namespace('c'), { expected: 0 });
  expect(state.namespaces.has('a')).toBe(true);
  await state.caughtUp(4);
  expect([...state.namespaces.keys()]).toEqual(['a', 'b', 'c']);
  state.stop();
});
