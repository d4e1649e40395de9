import { mkdir } from 'node:fs/promises';
import type { StoredEntry } from '@kubeadmit/apiserver';
import { ClassicLevel } from 'classic-level';
import type { Change, Journal, JournalContent } from './journal.ts';
import { StoreError } from './store-error.ts';

/** The format of what is written here; a program refuses what a newer one has written. */
const format = '1';
const formatKey = 'format';
const revisionKey = 'revision';
/** In front of the keys of entries, so that no entry is taken for one of the above. */
const entryPrefix = 'entry:';

/** A journal in a folder, written by LevelDB: each batch goes to its log and to the disk before it counts. */
export class LevelJournal implements Journal {
  readonly #folder: string;
  #database: ClassicLevel<string, string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Rejects with a {@link StoreError} when another process has the folder, or wrote it in a newer format. */
  async open(): Promise<JournalContent> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const database = await this.#connect();
    const written = await database.get(formatKey);
    if (written === undefined) {
      await database.batch([put(formatKey, format), put(revisionKey, '1')], { sync: true });
    } else if (written !== format) {
      throw new StoreError(
        `${this.#folder} has the format ${written}; this program knows ${format}`,
      );
    }
    const entries: StoredEntry[] = [];
    for await (const [key, text] of database.iterator({ gte: entryPrefix, lt: 'entry;' })) {
      entries.push(entryOf(key.slice(entryPrefix.length), text));
    }
    return { entries, revision: Number(await database.get(revisionKey)) };
  }

  async append(changes: readonly Change[]): Promise<void> {
    const last = changes.at(-1);
    if (last === undefined) return;
    const operations = changes.map(({ key, value, revision }) =>
      value === undefined
        ? ({ type: 'del', key: entryPrefix + key } as const)
        : put(entryPrefix + key, `${revision} ${value}`),
    );
    await this.#connected().batch([...operations, put(revisionKey, String(last.revision))], {
      sync: true,
    });
  }

  async reopen(): Promise<{ readonly revision: number }> {
    const database = this.#database;
    this.#database = undefined;
    await database?.close();
    return { revision: Number(await (await this.#connect()).get(revisionKey)) };
  }

  async close(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
  }

  async #connect(): Promise<ClassicLevel<string, string>> {
    const database = new ClassicLevel<string, string>(this.#folder);
    try {
      await database.open();
    } catch (error) {
      throw new StoreError(openingProblem(this.#folder, error), { cause: error });
    }
    this.#database = database;
    return database;
  }

  #connected(): ClassicLevel<string, string> {
    if (this.#database === undefined) throw new StoreError(`${this.#folder} is not open`);
    return this.#database;
  }
}

function put(key: string, value: string): { readonly type: 'put'; key: string; value: string } {
  return { type: 'put', key, value };
}

function entryOf(key: string, text: string): StoredEntry {
  const space = text.indexOf(' ');
  return { key, value: text.slice(space + 1), revision: Number(text.slice(0, space)) };
}

function openingProblem(folder: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code, message } = (cause ?? error) as {
    readonly code?: string;
    readonly message: string;
  };
  if (code === 'LEVEL_LOCKED') return `${folder} is in use by another process`;
  return `${folder} cannot be opened: ${message}`;
}
