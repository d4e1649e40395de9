import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The states of files when they were last read, by path. */
export type FileStates = ReadonlyMap<string, string>;

/** Returns the states of existing files, also in folders, without `node_modules` and names that begin with a dot. */
export function fileStates(paths: Iterable<string>): FileStates {
  const states = new Map<string, string>();
  const seen = new Set<string>();
  for (const path of paths) look(path, states, seen);
  return states;
}

const folder = 'folder';

/** The folders among the inspected paths. */
export function foldersOf(states: FileStates): readonly string[] {
  return [...states].flatMap(([path, state]) => (state === folder ? [path] : []));
}

/** @param seen the real paths of folders that were looked into: links may lead to one in many ways. */
function look(path: string, states: Map<string, string>, seen: Set<string>): void {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      states.set(path, folder);
      const real = realpathSync.native(path);
      if (seen.has(real)) return;
      seen.add(real);
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (isLookedAt(entry)) look(join(path, entry.name), states, seen);
      }
    } else states.set(path, `${stats.mtimeMs} ${stats.size} ${stats.ino}`);
  } catch {
    // Deleted or unreadable: reading the file reports that.
  }
}

function isLookedAt({ name }: Dirent): boolean {
  return name !== 'node_modules' && !name.startsWith('.');
}

/** The files that are other than they were, new ones and such that are gone among them. */
export function changedFiles(before: FileStates, after: FileStates): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all]
    .filter((file) => before.get(file) !== after.get(file) && after.get(file) !== folder)
    .sort();
}
