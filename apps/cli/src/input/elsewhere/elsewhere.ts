import { statSync } from 'node:fs';
import { type FoundText, isArchiveName } from './found-text.ts';
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
 * an archive, a chart or a kustomization; undefined for other paths, and for a kustomization that nobody here can build.
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
    return { ...readRevision(revision, isWanted, settings), isFound: true };
  }
  if (isArchiveName(path) && isFile(path)) {
    const { readArchiveFile } = await import('./archive.ts');
    return { ...(await readArchiveFile(path, isWanted, settings)), isFound: true };
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
  const { texts, note, isPinned } = await read(address, isWanted, { maxFileSize, timeout, env });
  const example = isArtifact ? '@sha256:…' : '#sha256:…';
  const change = isPinned ? [] : [`it may change: ${example} says which content is meant`];
  const notes = [...change, ...(note === undefined ? [] : [note])];
  return { texts, isFound: true, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
