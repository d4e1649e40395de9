import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type InputProblem, Source } from '@kubeadmit/manifest';
import type { Terminal } from '../terminal.ts';
import { configurationFile } from './configuration-file.ts';
import { expandGlob, isGlob } from './glob.ts';
import { ignoreRules } from './ignore.ts';
import { withoutPatches } from './kustomize.ts';
import { openInput, readErrorText } from './streams.ts';

/** The texts that paths lead to, and what could not be read. */
export interface ReadSources {
  readonly sources: readonly Source[];
  readonly problems: readonly InputProblem[];
  /** What is worth saying of files that were passed over. */
  readonly notes: readonly InputProblem[];
  /** Those that nobody named: they were found in folders. */
  readonly found: ReadonlySet<Source>;
}

/** Which files are read. */
export interface SourceOptions {
  /** Patterns of files that are left out, as in `.kubeadmitignore`. */
  readonly ignore?: readonly string[];
  /** The size in bytes above which a file is not read; default all are. */
  readonly maxFileSize?: number;
}

/** What is said of paths while they are followed. */
interface Remarks {
  readonly problems: InputProblem[];
  readonly notes: InputProblem[];
}

// Suites of tests and their snapshots hold no objects of a cluster.
const manifestName = /(?<!\.admit(?:\.snap)?)\.(?:ya?ml|json)$/;

/**
 * Reads files, folders (recursively `*.yaml`, `*.yml`, `*.json`, sorted by name; `node_modules`, kustomizations,
 * their patches, `*.admit.yaml`, names that begin with a dot and what `.kubeadmitignore` names are passed over), patterns such as
 * `policies/*.yaml`, and `-` (standard input).
 */
export async function readSources(
  paths: readonly string[],
  terminal: Terminal,
  { ignore = [], maxFileSize = Number.POSITIVE_INFINITY }: SourceOptions = {},
): Promise<ReadSources> {
  const sources: Source[] = [];
  const found = new Set<Source>();
  const remarks: Remarks = { problems: [], notes: [] };
  const ignored = ignoreRules(ignore);
  for (const path of paths) {
    for (const file of filesOf(path, remarks)) {
      if (file !== '-' && ignored(file)) continue;
      try {
        const bytes =
          file === '-' ? await readAll(terminal, maxFileSize) : readFile(file, maxFileSize);
        const source = new Source(file === '-' ? '<stdin>' : file, decode(bytes));
        sources.push(source);
        if (file !== path) found.add(source);
      } catch (error) {
        const name = file === '-' ? '<stdin>' : file;
        remarks.problems.push({ file: name, message: readErrorText(error) });
      }
    }
  }
  return { sources, ...remarks, found };
}

function readFile(file: string, maxFileSize: number): Uint8Array {
  const { size } = statSync(file);
  if (size > maxFileSize) throw new Error(tooLarge(maxFileSize));
  return readFileSync(file);
}

function tooLarge(maxFileSize: number): string {
  return `larger than ${maxFileSize} bytes (--max-file-size)`;
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
    else if (manifestName.test(entry.name) && entry.name !== configurationFile) files.push(path);
  }
  return files;
}

async function readAll(terminal: Terminal, maxFileSize: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await openInput('-', terminal)) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    size += bytes.length;
    if (size > maxFileSize) throw new Error(tooLarge(maxFileSize));
    chunks.push(bytes);
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
