import { type FoundText, isArchiveName } from '../local/found-text.ts';
import { isKustomization } from '../local/kustomization-tree.ts';
import { isFile, isFolder } from '../local/paths.ts';
import { gitPath, readRevision } from './git.ts';
import { buildKustomization, isChart, type ProgramSettings, renderChart } from './programs.ts';

/** The content of a path other than a plain file or folder. */
export interface Elsewhere {
  readonly texts: readonly FoundText[];
  /** A remark about how it was read. */
  readonly note?: string;
  /** Whether the files were found in a folder or archive, and not named. */
  readonly isFound: boolean;
}

/** How long an answer from the web may take, in milliseconds. */
const timeout = 60_000;

/**
 * Reads a path that is not a plain file or folder: a revision (`main:policies/`), a URL (`https://…`, `oci://…`), an
 * archive, a chart or a kustomization. Undefined for other paths, and for a kustomization that no program here can build.
 *
 * @throws ElsewhereError if it cannot be read
 */
export async function readElsewhere(
  path: string,
  settings: ProgramSettings,
): Promise<Elsewhere | undefined> {
  if (/^(?:https?|oci):\/\//.test(path)) return readWeb(path, settings);
  const revision = gitPath(path);
  if (revision !== undefined) {
    return { ...readRevision(revision, settings), isFound: true };
  }
  if (isArchiveName(path) && isFile(path)) {
    settings.boundary.requireNamed(path);
    const { readArchiveFile } = await import('./archive.ts');
    return { ...(await readArchiveFile(path, settings)), isFound: true };
  }
  if (!isFolder(path)) return undefined;
  settings.boundary.requireNamed(path);
  if (isChart(path)) return { texts: [renderChart(path, settings)], isFound: false };
  if (!isKustomization(path)) return undefined;
  const built = buildKustomization(path, settings);
  return built && { texts: [built], isFound: false };
}

async function readWeb(
  address: string,
  { maxFileSize, env, skipped }: ProgramSettings,
): Promise<Elsewhere> {
  const isArtifact = address.startsWith('oci:');
  const read = isArtifact
    ? (await import('./oci.ts')).readArtifact
    : (await import('./web.ts')).readAddress;
  const limits = { maxFileSize, sizeOption: '--max-file-size', timeout, env };
  const { texts, note, isPinned } = await read(address, limits, skipped);
  const example = isArtifact ? '@sha256:…' : '#sha256:…';
  const change = isPinned ? [] : [`the content may change; ${example} pins it`];
  const notes = [...change, ...(note === undefined ? [] : [note])];
  return { texts, isFound: true, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
}
