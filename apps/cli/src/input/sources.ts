import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
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
    for (const file of filesOf(path, remarks)) {
      try {
        const bytes = file === '-' ? await readAll(terminal) : readFileSync(file);
        sources.push(new Source(file === '-' ? '<stdin>' : file, decode(bytes)));
      } catch (error) {
        remarks.problems.push({ file, message: readErrorText(error) });
      }
    }
  }
  return { sources, ...remarks };
}

function filesOf(path: string, remarks: Remarks): readonly string[] {
  if (path === '-') return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    const { files, notes } = withoutPatches(filesBelow(path));
    remarks.notes.push(...notes);
    if (files.length === 0) {
      const message = 'no manifests in this folder (*.yaml, *.yml, *.json)';
      remarks.problems.push({ file: path, message });
    }
    return files;
  } catch (error) {
    const named = isGlob(path) ? expandGlob(path) : [];
    if (named.length > 0) return filesOfAll(named, remarks);
    const message = isGlob(path) ? 'no file has such a name' : readErrorText(error);
    remarks.problems.push({ file: path, message });
    return [];
  }
}

function filesOfAll(paths: readonly string[], remarks: Remarks): string[] {
  const files = new Set<string>();
  for (const path of paths) {
    for (const file of filesOf(path, remarks)) files.add(file);
  }
  return [...files];
}

function filesBelow(folder: string, above: readonly string[] = []): string[] {
  const real = realpathSync.native(folder);
  if (above.includes(real)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    const isFolder = entry.isSymbolicLink() ? statSync(path).isDirectory() : entry.isDirectory();
    if (isFolder) files.push(...filesBelow(path, [...above, real]));
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
