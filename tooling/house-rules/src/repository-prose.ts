import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProseFile, type ProseHit, proseHits } from './prose.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The file that records how many hits each folder may still have. */
export const limitsFile = fileURLToPath(new URL('../prose-limits.json', import.meta.url));

/** Numbers of hits by audience and folder, such as `comments` → `packages/cel`. */
export type ProseLimits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Returns every hit in the files that git tracks or would track. */
export function repositoryHits(): readonly ProseHit[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((path) => isProseFile(path) && existsSync(join(ROOT, path)))
    .flatMap((path) => proseHits(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** Counts hits by audience and by folder: two levels below the root, one for files at the root. */
export function countHits(hits: readonly ProseHit[]): ProseLimits {
  const counts: Record<string, Record<string, number>> = {};
  for (const { audience, path } of hits) {
    const folder = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
    counts[audience] ??= {};
    const byFolder = counts[audience];
    byFolder[folder] = (byFolder[folder] ?? 0) + 1;
  }
  return sorted(counts, (byFolder) => sorted(byFolder, (count) => count));
}

function sorted<T>(record: Readonly<Record<string, T>>, of: (value: T) => T): Record<string, T> {
  const keys = Object.keys(record).sort();
  return Object.fromEntries(keys.map((key) => [key, of(record[key] as T)]));
}
