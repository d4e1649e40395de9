import { join } from 'node:path';
import { MemoryStore, type Store } from '@kubeadmit/apiserver/store';
import { errorText } from '@kubeadmit/base';
import { readText } from '../configuration/read-text.ts';
import type { StoreChoice } from '../configuration/server-options.ts';
import type { HealthCheck } from '../operation/health.ts';
import { KeyFolder, type KeyPlace, KeysInMemory, KeysInStore } from './key-place.ts';
import { requireOwnFolder } from './own-folder.ts';
import { StoreError } from './store-error.ts';

/** An open store with its resources. */
export interface OpenStore {
  readonly store: Store;
  readonly keys: KeyPlace;
  /** Whether the store accepts writes. */
  readonly health: HealthCheck;
}

/** The time after which a store counts as not answering. */
const healthMilliseconds = 2_000;

/** Opens the store that was chosen. Rejects with a {@link StoreError}. */
export async function openStore(choice: StoreChoice): Promise<OpenStore> {
  if (choice.type === 'memory') {
    const store = new MemoryStore();
    return { store, keys: new KeysInMemory(), health: checkOf(async () => undefined) };
  }
  if (choice.type === 'folder') return openFolder(choice);
  return openEtcd(choice);
}

async function openFolder({
  folder,
  newKeys = false,
}: StoreChoice & { readonly type: 'folder' }): Promise<OpenStore> {
  const [{ EmbeddedStore }, { LevelJournal }] = await Promise.all([
    import('./embedded-store.ts'),
    import('./level-journal.ts'),
  ]);
  const objects = join(folder, 'objects');
  const keyFolder = join(folder, 'keys');
  const open = async () => {
    requireOwnFolder(objects);
    requireOwnFolder(keyFolder);
    return EmbeddedStore.open(new LevelJournal(objects, isObjectText));
  };
  const store = await open().catch((error: Error) => {
    const isOfDisk = 'code' in error && !(error instanceof StoreError);
    throw isOfDisk ? new StoreError(`${folder} cannot store the data: ${error.message}`) : error;
  });
  const health = checkOf(async () => {
    await store.recover();
    return store.problem?.message;
  });
  const { entries } = await store.range({ prefix: '/', limit: 1 });
  const isNew = entries.length === 0;
  const keys = new KeyFolder(keyFolder, isNew || newKeys ? undefined : objects);
  return { store, keys, health };
}

// Parsing all would take the time that a start may take.
function isObjectText(text: string): boolean {
  return text.startsWith('{"') && text.endsWith('}');
}

async function openEtcd(choice: StoreChoice & { readonly type: 'etcd' }): Promise<OpenStore> {
  const [{ EtcdClient }, { EtcdStore }] = await Promise.all([
    import('./etcd-client.ts'),
    import('./etcd-store.ts'),
  ]);
  const [authority, certificate, key] = await Promise.all(
    [choice.caFile, choice.certificateFile, choice.keyFile].map(async (file) =>
      file === undefined ? undefined : Buffer.from(await readText(file)),
    ),
  );
  const client = new EtcdClient(choice.urls, { authority, certificate, key });
  const store = new EtcdStore(client, choice.prefix ?? '/registry');
  try {
    await store.revision();
  } catch (error) {
    client.close();
    const reason = errorText(error);
    throw new StoreError(`etcd at ${choice.urls.join(', ')} does not answer: ${reason}`);
  }
  return { store, keys: new KeysInStore(store), health: checkOf(() => problemOf(store)) };
}

function checkOf(problem: () => Promise<string | undefined>): HealthCheck {
  return { name: 'etcd', problem };
}

async function problemOf(store: Store): Promise<string | undefined> {
  const answered = store.revision().then(
    () => undefined,
    () => 'the store does not answer',
  );
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, healthMilliseconds, 'the store does not answer in time').unref();
  });
  return Promise.race([answered, late]);
}
