import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type InputProblem, Source } from '@kubeadmit/manifest';
import type { Terminal } from '../terminal.ts';
import { expandGlob, isGlob } from './glob.ts';
import { withoutPatches } from './kustomize.ts';
import { openInput, readErrorText } from './streams.ts';

/** The texts that paths lead to, and what could not be read. */
export interface ReadSources {
  readonly sources: readonly Source[];
  readonly problems: readonly InputProblem[];
  /** What is worth saying of files that were passed over. */
  readonly notes: readonly InputProblem[];
}

/** What is said of paths while they are followed. */
interface Remarks {
  readonly problems: InputProblem[];
  readonly notes: InputProblem[];
}

const manifestName = /\.(?:ya?ml|json)$/;

/**
 * Reads files, folders (recursively `*.yaml`, `*.yml`, `*.json`, sorted by name; `node_modules`, kustomizations,
 * their patches and names that begin with a dot are passed over), patterns such as `policies/*.yaml`, and `-`
 * (standard input).
 */
export async function readSources(
  paths: readonly string[],
  terminal: Terminal,
): Promise<ReadSources> {
  const sources: Source[] = [];
  const remarks: Remarks = { problems: [], notes: [] };
  for (const path of paths) {
    for (const file of await filesOf(path, remarks)) {
      try {
        const bytes = file === '-' ? await readAll(terminal) : await readFile(file);
        sources.push(new Source(file === '-' ? '<stdin>' : file, decode(bytes)));
      } catch (error) {
        remarks.problems.push({ file, message: readErrorText(error) });
      }
    }
  }
  return { sources, ...remarks };
}

async function filesOf(path: string, remarks: Remarks): Promise<readonly string[]> {
  if (path === '-') return [path];
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const { files, notes } = await withoutPatches(await filesBelow(path));
    remarks.notes.push(...notes);
    if (files.length === 0) {
      const message = 'no manifests in this folder (*.yaml, *.yml, *.json)';
      remarks.problems.push({ file: path, message });
    }
    return files;
  } catch (error) {
    const named = isGlob(path) ? await expandGlob(path) : [];
    if (named.length > 0) return filesOfAll(named, remarks);
    const message = isGlob(path) ? 'no file has such a name' : readErrorText(error);
    remarks.problems.push({ file: path, message });
    return [];
  }
}

async function filesOfAll(paths: readonly string[], remarks: Remarks): Promise<string[]> {
  const files = new Set<string>();
  for (const path of paths) {
    for (const file of await filesOf(path, remarks)) files.add(file);
  }
  return [...files];
}

async function filesBelow(folder: string, above: readonly string[] = []): Promise<string[]> {
  const real = await realpath(folder);
  if (above.includes(real)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    const isFolder = entry.isSymbolicLink()
      ? (await stat(path)).isDirectory()
      : entry.isDirectory();
    if (isFolder) files.push(...(await filesBelow(path, [...above, real])));
    else if (manifestName.test(entry.name)) files.push(path);
  }
  return files;
}

async function readAll(terminal: Terminal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openInput('-', terminal)) {
    chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('not UTF-8 text');
  }
}
