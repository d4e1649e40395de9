import { existsSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import type { Terminal } from '../../process/terminal.ts';
import { isFile, realPath } from './paths.ts';

/**
 * The folders of files that suites, kustomizations and links may lead to. A stranger may have written these, and
 * reports show the text of files.
 *
 * For each path on the command line that is the git repository around it. Outside of a repository it is the working
 * directory, if the path lies in it, and the path itself.
 */
export class Boundary {
  readonly #roots: readonly string[];
  readonly #isConfined: boolean;

  /**
   * @param paths those of the command line
   * @param folder the real path of the only folder that is inside, whatever the paths; default none
   */
  constructor(paths: readonly string[], folder?: string) {
    this.#roots = folder === undefined ? [...new Set(paths.flatMap(rootsOf))] : [folder];
    this.#isConfined = folder !== undefined;
  }

  /** Whether the real path of a file or folder is inside; a file that does not exist is. */
  contains(path: string): boolean {
    const real = realPath(path);
    return real === undefined || this.#roots.some((root) => isWithin(real, root));
  }

  /** Whether a folder is inside, or around a folder that is: patterns pass through it. */
  isOnTheWay(folder: string): boolean {
    const real = realPath(folder);
    return this.contains(folder) || this.#roots.some((root) => isWithin(root, real ?? folder));
  }

  /**
   * Requires a path that a file names to lead inside.
   *
   * @throws Error that says why it is not read
   */
  require(path: string): void {
    if (!this.contains(path)) throw new Error(outsideText);
  }

  /**
   * Requires a path of the command line not to be a link that leads out of its repository, or out of the working
   * directory that it lies in: shells expand patterns to names that a stranger chose.
   *
   * @throws Error that says why it is not read
   */
  requireNamed(path: string): void {
    if (this.#isConfined) this.require(path);
    else if (isLinkOut(path, projectAround(resolve(path)))) throw new Error(outsideText);
  }
}

/**
 * Whether a file of a command, such as its configuration, is a link that leads out of its repository or folder, or out
 * of the only folder that may be read: errors would show its text.
 */
export function leadsOut(file: string, folder?: string): boolean {
  if (folder !== undefined) return !new Boundary([], folder).contains(file);
  const full = resolve(file);
  return !isDevice(full) && isLinkOut(full, projectAround(full) ?? dirname(full));
}

/** Whether the real path of a file or folder is outside of a folder; without a folder it is not. */
function isLinkOut(path: string, folder: string | undefined): boolean {
  const real = realPath(path);
  if (real === undefined || folder === undefined) return false;
  return !isWithin(real, realPath(folder) ?? folder);
}

/** The repository around a path, or else the working directory that it lies in. */
function projectAround(full: string): string | undefined {
  return repositoryAround(full) ?? workingFolderAround(full);
}

/** Whether a path is that of a device, which only users can name. */
function isDevice(full: string): boolean {
  return /^\/(?:dev|proc)\//.test(full);
}

/**
 * Requires that writing a file changes nothing outside of the repository or folder that its path lies in: links in a
 * checkout may lead anywhere. Devices are allowed, because only users can name them.
 *
 * @throws Error for a path that a link leads out
 */
export function requireOwnPlace(file: string): void {
  const full = resolve(file);
  if (isDevice(full)) return;
  const root = projectAround(full) ?? dirname(full);
  const place = writtenPlace(full);
  if (place !== undefined && isWithin(place, realPath(root) ?? root)) return;
  throw new Error(
    'a symbolic link leads outside the repository or folder; pass the path of its target instead',
  );
}

/** Where a file is written: its real path, or that of the nearest folder that exists; undefined for a dead link. */
function writtenPlace(full: string): string | undefined {
  if (lstatSync(full, { throwIfNoEntry: false }) !== undefined) return realPath(full);
  const above = dirname(full);
  return above === full ? full : writtenPlace(above);
}

/** A boundary that everything is inside of (`--allow-outside`). */
export const noBoundary: Pick<Boundary, keyof Boundary> = {
  contains: () => true,
  isOnTheWay: () => true,
  require: () => {},
  requireNamed: () => {},
};

/** The methods of {@link Boundary}. */
export type ReadBoundary = typeof noBoundary;

/** The boundary of a command; the folder of its terminal wins over `--allow-outside`. */
export function boundaryOf(
  paths: readonly string[],
  { allowOutside }: { readonly allowOutside?: boolean | undefined },
  { folder }: Pick<Terminal, 'folder'> = {},
): ReadBoundary {
  return allowOutside === true && folder === undefined ? noBoundary : new Boundary(paths, folder);
}

/** The message about a path that leads out of the boundary. */
export const outsideText = 'leads outside the repository or folder (--allow-outside follows it)';

/** The real paths of the folders that a path of the command line opens. */
function rootsOf(path: string): readonly string[] {
  const full = resolve(path);
  const repository = repositoryAround(full);
  if (repository !== undefined) return [realPath(repository) ?? repository];
  const here = workingFolderAround(full);
  return [
    ...(here === undefined ? [] : [realPath(here) ?? here]),
    folderOf(realPath(full) ?? full),
  ];
}

/** The working directory, if a path lies in it. */
function workingFolderAround(path: string): string | undefined {
  const here = resolve('.');
  return isWithin(path, here) && !isTooWide(here) ? here : undefined;
}

/** The folder with `.git` that a path lies in. */
export function repositoryAround(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether a working directory is not a project: containers start in `/`, people in their home directory. */
function isTooWide(folder: string): boolean {
  return folder === parse(folder).root || folder === homedir();
}

function folderOf(path: string): string {
  return isFile(path) ? dirname(path) : path;
}

/** Whether a path is a folder or lies below it; both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
