import { join } from 'node:path';
import type { Store } from '@kubeadmit/apiserver/store';
import { makeFolder, readText, replaceFile } from '@kubeadmit/files';
import { StoreError } from './store-error.ts';

/** Where the authority and the keys of a cluster are kept. */
export interface KeyPlace {
  read(name: string): Promise<string | undefined>;
  /** Stores a text under an unused name; returns the existing text if another process was first. */
  create(name: string, text: string): Promise<string>;
}

/** Keys in the files of a folder that only its owner reads. */
export class KeyFolder implements KeyPlace {
  readonly #folder: string;
  readonly #users: string | undefined;

  /** @param users what these keys are needed for and holds something already: then none are made; default nothing */
  constructor(folder: string, users?: string) {
    this.#folder = folder;
    this.#users = users;
  }

  async read(name: string): Promise<string | undefined> {
    try {
      return readText(join(this.#folder, name), { regularOnly: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async create(name: string, text: string): Promise<string> {
    if (this.#users !== undefined) {
      throw new StoreError(
        `${this.#users} contains the objects of a cluster, but its key ${join(this.#folder, name)} is missing; restore it from a backup, or start once with --new-keys, which invalidates all tokens, certificates and kubeconfigs`,
      );
    }
    makeFolder(this.#folder, 0o700);
    replaceFile(join(this.#folder, name), text, 0o600);
    return text;
  }
}

/** Keys in a store that several servers share, beside its objects and out of reach of the API. */
export class KeysInStore implements KeyPlace {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async read(name: string): Promise<string | undefined> {
    const entry = await this.#store.get(keyOf(name));
    return entry && (JSON.parse(entry.value) as string);
  }

  async create(name: string, text: string): Promise<string> {
    const result = await this.#store.put(keyOf(name), JSON.stringify(text), { expected: 0 });
    return result.done ? text : JSON.parse(result.current?.value ?? '""');
  }
}

/** Keys that end with the process. */
export class KeysInMemory implements KeyPlace {
  readonly #texts = new Map<string, string>();

  async read(name: string): Promise<string | undefined> {
    return this.#texts.get(name);
  }

  async create(name: string, text: string): Promise<string> {
    this.#texts.set(name, text);
    return text;
  }
}

function keyOf(name: string): string {
  return `/kubeadmit-keys/${name}`;
}
