import { memoize } from '@kubeadmit/base';
import { recentRegex } from '@kubeadmit/go/unstable-internal';
import type { Failure } from '../jmespath/steps/failure.ts';

/** Puts the value of a context entry into the context; a `Failure` says why it cannot. */
export interface EntryLoader {
  readonly load: () => Failure | undefined;
  readonly isLoaded: () => boolean;
}

interface DeferredEntry {
  readonly matches: (query: string) => boolean;
  readonly level: number;
  readonly loader: EntryLoader;
  isMatched: boolean;
}

/**
 * Context entries that are loaded when a query first names them (Kyverno's deferred loaders).
 *
 * Each belongs to a level, the number of checkpoints at the time; while one loads, queries see only the entries
 * before it.
 */
export class DeferredEntries {
  #entries: DeferredEntry[] = [];
  #loading: { readonly level: number; readonly index: number } | undefined;

  /** Whether there is nothing to load. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Adds an entry; false where its name makes no regular expression. */
  add(name: string, loader: EntryLoader, level: number): boolean {
    const matches = matcherOf(name);
    if (matches === undefined) return false;
    this.#entries.push({ matches, level, loader, isMatched: false });
    return true;
  }

  /** Loads every entry that a query names and that is not loaded yet. */
  loadMatching(query: string, currentLevel: number): Failure | undefined {
    const level = this.#loading?.level ?? currentLevel;
    const end = this.#loading?.index ?? this.#entries.length;
    for (;;) {
      const index = this.#entries.findIndex(
        (entry, at) =>
          at < end &&
          !entry.isMatched &&
          !entry.loader.isLoaded() &&
          entry.level <= level &&
          entry.matches(query),
      );
      const entry = this.#entries[index];
      if (entry === undefined) return undefined;
      entry.isMatched = true;
      const problem = this.#load(entry, index);
      if (problem !== undefined) return problem;
    }
  }

  #load(entry: DeferredEntry, index: number): Failure | undefined {
    this.#loading = { level: entry.level, index };
    try {
      return entry.loader.load();
    } finally {
      this.#loading = undefined;
    }
  }

  /** After a return to a checkpoint: removes the entries above it and reloads the others. */
  reset(isRestore: boolean, level: number): void {
    for (const entry of this.#entries) entry.isMatched = false;
    for (let index = 0; index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (entry === undefined) break;
      const isLoaded = entry.level <= level && entry.loader.isLoaded();
      if (isLoaded && (isRestore || entry.level < level)) this.#load(entry, index);
      const stays = entry.level < level || (entry.level === level && isRestore && !isLoaded);
      if (!stays) this.#entries.splice(index--, 1);
    }
  }
}

/** Finds the name of an entry as a word that no dot, letter or digit precedes; `undefined` for an invalid name. */
export const matcherOf: typeof makeMatcher = memoize(makeMatcher);

function makeMatcher(name: string): ((query: string) => boolean) | undefined {
  if (/^\w+$/.test(name)) {
    const pattern = new RegExp(`(?:^|[^.0-9A-Za-z])${name}\\b`);
    return (query) => query.includes(name) && pattern.test(query);
  }
  const expression = recentRegex(`(?:\\A|\\z|\\s|[^.0-9A-Za-z])${name}\\b`);
  return 'error' in expression ? undefined : (query) => expression.test(query);
}
