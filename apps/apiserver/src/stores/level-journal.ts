import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredEntry } from '@kubeadmit/apiserver/store';
import { makeFolder, readBytes } from '@kubeadmit/files';
import { ClassicLevel } from 'classic-level';
import type { Change, Journal, JournalContent } from './journal.ts';
import { StoreError } from './store-error.ts';

/** The version of the storage format; a program rejects folders with a newer version. */
const format = '1';
const formatKey = 'format';
const revisionKey = 'revision';
/** The prefix of entry keys, which keeps them apart from the keys above. */
const entryPrefix = 'entry:';

/** The suffix of logs that are kept until their content was read successfully. */
const keptSuffix = '.kept';

/** The remedy that errors suggest if a folder lacks acknowledged writes. */
const wayOut = 'restore the folder from a backup, or start with a new one';

/** A journal in a folder, written by LevelDB: each batch is synced to its log before it counts. */
export class LevelJournal implements Journal {
  readonly #folder: string;
  readonly #isWhole: (value: string) => boolean;
  #database: ClassicLevel<string, string> | undefined;

  /** @param isWhole whether a stored value is complete (default: every value is) */
  constructor(folder: string, isWhole: (value: string) => boolean = () => true) {
    this.#folder = folder;
    this.#isWhole = isWhole;
  }

  /**
   * Opens the journal and reads its content.
   *
   * Rejects with a {@link StoreError} if another process uses the folder or wrote it in a newer format, or if the
   * content is damaged: lost data is never ignored.
   */
  async open(): Promise<JournalContent> {
    makeFolder(this.#folder, 0o700);
    await requireBeginning(this.#folder);
    const kept = await keepLogs(this.#folder);
    const database = await this.#connect().catch(async (error: unknown) => {
      await removeAll(kept);
      throw error;
    });
    try {
      await requireWhole(this.#folder, kept);
      return await this.#read(database);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #read(database: ClassicLevel<string, string>): Promise<JournalContent> {
    const written = await database.get(formatKey);
    if (written === undefined) {
      await database.batch([put(formatKey, format), put(revisionKey, '1')], { sync: true });
    } else if (written !== format) {
      throw new StoreError(
        `${this.#folder} has format ${written}, and this program reads format ${format}`,
      );
    }
    const entries: StoredEntry[] = [];
    for await (const [key, text] of database.iterator({ gte: entryPrefix, lt: 'entry;' })) {
      entries.push(this.#entryOf(key.slice(entryPrefix.length), text));
    }
    return { entries, revision: this.#revisionOf(await database.get(revisionKey)) };
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
    return { revision: this.#revisionOf(await (await this.#connect()).get(revisionKey)) };
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

  #entryOf(key: string, text: string): StoredEntry {
    const space = text.indexOf(' ');
    const revision = Number(text.slice(0, space));
    const value = text.slice(space + 1);
    if (revision > 0 && this.#isWhole(value)) return { key, value, revision };
    throw new StoreError(`${this.#folder}: the entry ${key} is not an object; ${wayOut}`);
  }

  #revisionOf(text: string | undefined): number {
    if (text !== undefined && /^[1-9]\d*$/.test(text)) return Number(text);
    throw new StoreError(`${this.#folder}: the revision is \`${text}\`; ${wayOut}`);
  }

  #connected(): ClassicLevel<string, string> {
    if (this.#database === undefined) throw new StoreError(`${this.#folder} is not open`);
    return this.#database;
  }
}

function put(key: string, value: string): { readonly type: 'put'; key: string; value: string } {
  return { type: 'put', key, value };
}

/** LevelDB creates a new database if its file CURRENT is missing, and then removes unknown files. */
async function requireBeginning(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.includes('CURRENT') || !names.some((name) => /\.(?:ldb|log)$/.test(name))) return;
  throw new StoreError(
    `${folder} contains objects that cannot be read without the missing file CURRENT; ${wayOut}`,
  );
}

/**
 * Links the logs of a folder under second names, since opening the folder reads as much as it can and removes them.
 * Returns the links, or none if the file system has no links.
 */
async function keepLogs(folder: string): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.log')) continue;
    const file = join(folder, `${name}${keptSuffix}`);
    try {
      // A link left by an earlier start refers to the same file.
      await rm(file, { force: true });
      await link(join(folder, name), file);
      kept.push(file);
    } catch {
      // The folder is opened without the second name.
    }
  }
  return kept;
}

function keptText(kept: readonly string[]): string {
  return kept.length === 0 ? '' : `the damaged journal is kept as ${kept.join(', ')}; `;
}

async function removeAll(files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

// A log that ends in the middle of a write was cut before the write was acknowledged. LevelDB reports all other
// damage in its LOG file and continues.
async function requireWhole(folder: string, kept: readonly string[]): Promise<void> {
  const told = Buffer.from(readBytes(join(folder, 'LOG'), { regularOnly: true })).toString('utf8');
  const dropped = [...told.matchAll(/: dropping (\d+) bytes; /g)];
  if (dropped.length > 0) {
    const count = dropped.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
    throw new StoreError(
      `${folder} is damaged: ${count} bytes of its journal cannot be read and are lost; ${keptText(kept)}restore the folder from a backup, or start again with the remaining objects`,
    );
  }
  await removeAll(kept);
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
