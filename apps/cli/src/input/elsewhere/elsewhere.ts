import { statSync } from 'node:fs';
import type { FoundText } from './found-text.ts';
import { gitPath, readRevision } from './git.ts';
import {
  buildKustomization,
  isChart,
  isKustomization,
  type ProgramSettings,
  renderChart,
} from './programs.ts';

/** What lies behind a path that is no plain file or folder. */
export interface Elsewhere {
  readonly texts: readonly FoundText[];
  /** What is worth saying of how it was got. */
  readonly note?: string;
  /** Whether files were found there that nobody named. */
  readonly isFound: boolean;
}

/** How long an answer from the web may take, in milliseconds. */
const timeout = 60_000;

/**
 * Reads what a path names that is no file of its own: a revision (`main:policies/`), an address (`https://…`, `oci://…`),
 * a chart or a kustomization; undefined for other paths, and for a kustomization that nobody here can build.
 *
 * @param isWanted which files of folders and archives are read.
 * @throws ElsewhereError for what cannot be got.
 */
export async function readElsewhere(
  path: string,
  isWanted: (name: string) => boolean,
  settings: ProgramSettings,
): Promise<Elsewhere | undefined> {
  if (/^(?:https?|oci):\/\//.test(path)) return readWeb(path, isWanted, settings);
  const revision = gitPath(path);
  if (revision !== undefined) {
    return { texts: readRevision(revision, isWanted, settings), isFound: true };
  }
  if (!isFolder(path)) return undefined;
  if (isChart(path)) return { texts: [renderChart(path, settings)], isFound: false };
  if (!isKustomization(path)) return undefined;
  const built = buildKustomization(path, settings);
  return built && { texts: [built], isFound: false };
}

async function readWeb(
  address: string,
  isWanted: (name: string) => boolean,
  { maxFileSize, env }: ProgramSettings,
): Promise<Elsewhere> {
  const isArtifact = address.startsWith('oci:');
  const read = isArtifact
    ? (await import('./oci.ts')).readArtifact
    : (await import('./web.ts')).readAddress;
  const { texts, isPinned } = await read(address, isWanted, { maxFileSize, timeout, env });
  const example = isArtifact ? '@sha256:…' : '#sha256:…';
  return {
    texts,
    isFound: true,
    ...(isPinned ? {} : { note: `it may change: ${example} says which content is meant` }),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
