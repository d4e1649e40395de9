import { type Dirent, existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { noFileText, readErrorText } from '@kubeadmit/files';
import type { InputProblem } from '@kubeadmit/manifest';
import { isChart } from './elsewhere/programs.ts';
import { outsideText, type ReadBoundary, repositoryAround } from './local/boundary.ts';
import type { SkippedFiles } from './local/skipped-files.ts';
import { fileSkipReason, folderSkipReason, mayHoldManifests } from './local/wanted-names.ts';

/** The reports of a listing. */
export interface FolderRemarks {
  readonly problems: InputProblem[];
  readonly notes: InputProblem[];
  readonly skipped: SkippedFiles;
  /** How many entries of folders are still looked at; default all. */
  readonly budget?: EntryBudget;
}

/** The entries of folders that a listing may look at; 0 or less once it was cut short. */
export interface EntryBudget {
  left: number;
}

/**
 * Lists the manifests in a folder and those below it, sorted by name. Each folder is listed once, however many links lead
 * to it, and links are followed as far as the boundary goes. What is skipped and may be a manifest is reported.
 */
export function filesBelow(
  folder: string,
  boundary: ReadBoundary,
  remarks: FolderRemarks,
): readonly string[] {
  return new FolderLister(boundary, remarks).list(folder);
}

/** git stores no empty folders: in a checkout, such a folder is a submodule. */
const emptyText = 'the folder is empty; fetch the submodule, or remove the folder';

/** Whether a folder lies in a repository with submodules, of which a checkout may have fetched none. */
function hasSubmodules(folder: string): boolean {
  const repository = repositoryAround(resolve(folder));
  return repository !== undefined && existsSync(join(repository, '.gitmodules'));
}

class FolderLister {
  readonly #boundary: ReadBoundary;
  readonly #remarks: FolderRemarks;
  /** The real paths of the folders that were listed. */
  readonly #seen = new Set<string>();

  constructor(boundary: ReadBoundary, remarks: FolderRemarks) {
    this.#boundary = boundary;
    this.#remarks = remarks;
  }

  list(folder: string): string[] {
    const real = realpathSync.native(folder);
    if (this.#seen.has(real)) return [];
    const { budget } = this.#remarks;
    if (budget !== undefined && budget.left <= 0) return [];
    const isTop = this.#seen.size === 0;
    this.#seen.add(real);
    if (!isTop && isChart(folder)) {
      this.#remarks.skipped.add(
        folder,
        'part of a Helm chart; name its folder to render it with helm',
      );
      return [];
    }
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.length === 0 && hasSubmodules(folder)) this.#remarks.skipped.add(folder, emptyText);
    if (budget !== undefined) budget.left -= entries.length;
    return entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => this.#listEntry(entry, join(folder, entry.name)));
  }

  #listEntry(entry: Dirent, path: string): readonly string[] {
    const isManifest = mayHoldManifests(entry.name);
    const { problems, notes } = this.#remarks;
    try {
      return this.#listPath(entry, path);
    } catch (error) {
      // The name of a dead link shows whether a manifest is missing.
      const message = readErrorText(error);
      if (isManifest || !entry.isSymbolicLink()) problems.push({ file: path, message });
      else notes.push({ file: path, message: `skipped: ${message}` });
      return [];
    }
  }

  #listPath(entry: Dirent, path: string): readonly string[] {
    if (entry.name === '.git') return [];
    const isLink = entry.isSymbolicLink();
    const there = isLink ? statSync(path) : entry;
    if (isLink && !this.#boundary.contains(path))
      return this.#refuseLink(path, there.isDirectory());
    return there.isDirectory() ? this.#listFolder(entry, path) : this.#listFile(there, path);
  }

  #listFolder(entry: Dirent, path: string): readonly string[] {
    const why = folderSkipReason(entry.name);
    if (why === undefined) return this.list(path);
    if (!entry.isSymbolicLink()) this.#remarks.skipped.addFolder(path, why);
    return [];
  }

  #listFile(there: Dirent | Stats, path: string): readonly string[] {
    const name = basename(path);
    if (!mayHoldManifests(name)) return [];
    const why = fileSkipReason(name);
    if (why === undefined) {
      if (!there.isFile()) throw new Error(noFileText);
      return [path];
    }
    this.#remarks.skipped.addFile(path, why);
    return [];
  }

  /** A link to a file is an input that is missing; a folder elsewhere may hold anything. */
  #refuseLink(path: string, isFolder: boolean): readonly string[] {
    if (isFolder) this.#remarks.skipped.add(path, outsideText);
    else if (mayHoldManifests(path))
      this.#remarks.problems.push({ file: path, message: outsideText });
    return [];
  }
}
