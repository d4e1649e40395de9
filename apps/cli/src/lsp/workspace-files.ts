import { existsSync } from 'node:fs';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { readText } from '@kubeadmit/files';
import { configurationFile } from '../input/local/configuration-file.ts';
import { listFolder } from '../input/sources.ts';
import { pathOfUri } from './file-uri.ts';

/** Larger files are known only while they are open. */
const largestFile = 1_000_000;

/** Entries of folders that are listed: an editor may open `/`, or a folder of all repositories. */
const mostEntries = 100_000;

const suiteName = /\.admit\.ya?ml$/;

/** The files of the workspace's folders that `kubeadmit lint` reads: one list decides at the start and after changes. */
export class WorkspaceFiles {
  readonly folders: readonly string[];
  #listed: ReadonlySet<string> = new Set();
  #isCut = false;

  /** @param uris the folders; those that name no path of this system are ignored */
  constructor(uris: readonly string[]) {
    this.folders = uris.flatMap((uri) => pathOfUri(uri) ?? []);
  }

  /**
   * Lists the files again: the paths that were not listed before, and those that are not any more.
   *
   * @throws CommandFailure for a `.kubeadmitignore` that cannot be read
   */
  refresh(): { readonly added: readonly string[]; readonly removed: readonly string[] } {
    const before = this.#listed;
    const budget = { left: mostEntries };
    const now = new Set(this.folders.flatMap((folder) => listFolder(folder, budget)));
    this.#isCut = budget.left <= 0;
    this.#listed = now;
    return {
      added: [...now].filter((path) => !before.has(path)),
      removed: [...before].filter((path) => !now.has(path)),
    };
  }

  /** Whether the folders contain so much that some of it was not listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether `kubeadmit lint` reads a file; the last list decides. */
  isListed(path: string): boolean {
    return this.#listed.has(path);
  }

  /**
   * Whether a file that is open is ignored: it lies in a folder that `kubeadmit lint` would read without it. Files that
   * are not saved yet, suites of tests and the configuration are not ignored.
   */
  isIgnored(path: string): boolean {
    if (this.#isCut || this.#listed.has(path) || this.#folderOf(path) === undefined) return false;
    return !suiteName.test(path) && basename(path) !== configurationFile && existsSync(path);
  }

  /** The name of a file in messages: its path from its folder. */
  nameOf(uri: string): string {
    const path = pathOfUri(uri);
    if (path === undefined) return uri;
    const folder = this.#folderOf(path);
    return folder === undefined ? path : relative(folder, path);
  }

  #folderOf(path: string): string | undefined {
    return this.folders.find((folder) => {
      const below = relative(folder, path);
      return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
    });
  }
}

/** The text of a regular file; undefined if it cannot be read or is too large. */
export function readManifestFile(path: string): string | undefined {
  try {
    return readText(path, { maxSize: largestFile, regularOnly: true });
  } catch {
    return undefined;
  }
}
