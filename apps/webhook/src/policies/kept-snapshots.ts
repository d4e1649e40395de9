import { join } from 'node:path';
import { makeFolder, readErrorText, readText, replaceFile } from '@kubeadmit/files';
import type { Snapshot } from './snapshot.ts';

/** The bytes of the largest set that is read, which has texts of many files. */
const largestSet = 2 ** 29;

/** The last good set of policies, in the form of the file. */
export interface KeptSet {
  /** When it was loaded, as in `2026-01-02T03:04:05.000Z`. */
  readonly time: string;
  /** The snapshots that a new process loads, in order, to decide as the one that kept them. */
  readonly snapshots: readonly Snapshot[];
}

function isKeptSet(value: unknown): value is KeptSet {
  const { time, snapshots } = (value ?? {}) as Partial<KeptSet>;
  return typeof time === 'string' && Array.isArray(snapshots);
}

function isMissing(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ENOENT';
}

/** Keeps the last good set of policies in a folder, for the time after a restart. */
export class KeptSnapshots {
  readonly #file: string;
  #written = '';

  constructor(folder: string) {
    this.#file = join(folder, 'last-good-set.json');
    makeFolder(folder);
  }

  /** Reads the stored set; returns `undefined` if there is none, or a text that says why it cannot be read. */
  read(): KeptSet | string | undefined {
    try {
      const text = readText(this.#file, { regularOnly: true, maxSize: largestSet });
      const kept: unknown = JSON.parse(text);
      return isKeptSet(kept) ? kept : `${this.#file}: not a stored set of policies`;
    } catch (error) {
      return isMissing(error) ? undefined : `${this.#file}: ${readErrorText(error)}`;
    }
  }

  /** Keeps a set; returns why that failed, or an empty string. */
  write(snapshots: readonly Snapshot[], time: string): string {
    const text = JSON.stringify(snapshots);
    if (text === this.#written) return '';
    try {
      replaceFile(this.#file, `{"time":${JSON.stringify(time)},"snapshots":${text}}`, 0o600);
      this.#written = text;
      return '';
    } catch (error) {
      return `${this.#file}: ${readErrorText(error)}`;
    }
  }
}
