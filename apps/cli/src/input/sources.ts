import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText, noFileText, readErrorText } from '@kubeadmit/files';
import { type InputProblem, Source } from '@kubeadmit/manifest';
import type { Terminal } from '../terminal.ts';
import { configurationFile } from './configuration-file.ts';
import { readElsewhere } from './elsewhere/elsewhere.ts';
import { isChart, type ProgramSettings } from './elsewhere/programs.ts';
import { expandGlob, isGlob } from './glob.ts';
import { ignoreRules } from './ignore.ts';
import { withoutPatches } from './kustomize.ts';
import { holdText } from './memory-watch.ts';
import { openInput } from './streams.ts';

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
  /**
   * Whether revisions (`main:policies/`), addresses (`https://…`, `oci://…`), charts and kustomizations are followed, which
   * may run programs of the user; default not.
   */
  readonly isFollowing?: boolean;
  /** Values files of charts. */
  readonly helmValues?: readonly string[] | undefined;
  /** The namespace that charts are rendered for. */
  readonly namespace?: string | undefined;
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
  options: SourceOptions = {},
): Promise<ReadSources> {
  const { ignore = [], maxFileSize = Number.POSITIVE_INFINITY, isFollowing = false } = options;
  const sources: Source[] = [];
  const found = new Set<Source>();
  const remarks: Remarks = { problems: [], notes: [] };
  const ignored = ignoreRules(ignore);
  for (const path of paths) {
    if (isFollowing && path !== '-') {
      const there = await follow(path, { ...options, env: terminal.env, maxFileSize }, remarks);
      if (there !== undefined) {
        sources.push(...there.texts);
        if (there.isFound) for (const each of there.texts) found.add(each);
        continue;
      }
    }
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

/** The texts behind a path that is no plain file or folder; undefined for those that are. */
async function follow(
  path: string,
  settings: ProgramSettings,
  { problems, notes }: Remarks,
): Promise<{ readonly texts: readonly Source[]; readonly isFound: boolean } | undefined> {
  try {
    const there = await readElsewhere(path, isManifestName, settings);
    if (there === undefined) return undefined;
    const { texts, note, isFound } = there;
    if (note !== undefined) notes.push({ file: path, message: note });
    return { texts: texts.map(({ name, bytes }) => new Source(name, decode(bytes))), isFound };
  } catch (error) {
    problems.push({ file: path, message: readErrorText(error) });
    return { texts: [], isFound: false };
  }
}

/** Whether a file that is found may hold manifests, by its path. */
function isManifestName(path: string): boolean {
  const names = path.split('/');
  const name = names.at(-1) ?? '';
  const isHidden = names.some((each) => each.startsWith('.') || each === 'node_modules');
  return !isHidden && manifestName.test(name) && name !== configurationFile;
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
  if (path === '') {
    remarks.problems.push({ file: "''", message: 'no path: name a file or a folder' });
    return [];
  }
  try {
    if (!statSync(path).isDirectory()) return [path];
    const { files, notes } = withoutPatches(filesBelow(path, remarks));
    remarks.notes.push(...notes);
    if (files.length === 0) {
      const message = 'no manifests in this folder (*.yaml, *.yml, *.json)';
      remarks.problems.push({ file: path, message });
    }
    return files;
  } catch (error) {
    const named = isGlob(path) ? expandGlob(path) : [];
    if (named.length > 0) return filesOfAll(named, remarks);
    const message = isGlob(path)
      ? 'no file has such a name'
      : `${readErrorText(error)}${missingHint(path)}`;
    remarks.problems.push({ file: path, message });
    return [];
  }
}

/** What may be meant by a path that leads nowhere. */
function missingHint(path: string): string {
  if (existsSync(path)) return '';
  if (path.startsWith('file://')) return ' (name the path without `file://`)';
  if (path.startsWith('~'))
    return ' (the shell replaces `~` only at the beginning and outside of quotes)';
  if (/^(?:[a-z][\w+.-]*:\/\/|[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|dev|net)\/)/i.test(path))
    return ' (addresses begin with `https://` or `oci://`)';
  const isList = path.includes(',') && path.split(',').some((part) => existsSync(part));
  return isList ? ' (paths are named one by one, with spaces between)' : '';
}

function filesOfAll(paths: readonly string[], remarks: Remarks): string[] {
  const files = new Set<string>();
  for (const path of paths) {
    for (const file of filesOf(path, remarks)) files.add(file);
  }
  return [...files];
}

function filesBelow(folder: string, remarks: Remarks, above: readonly string[] = []): string[] {
  const real = realpathSync.native(folder);
  if (above.includes(real)) return [];
  if (above.length > 0 && isChart(folder)) {
    const message = 'a chart is passed over: name its folder to have it rendered by `helm`';
    remarks.notes.push({ file: folder, message });
    return [];
  }
  const entries = readdirSync(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    const isManifest = manifestName.test(entry.name) && entry.name !== configurationFile;
    try {
      const there = entry.isSymbolicLink() ? statSync(path) : entry;
      if (there.isDirectory()) files.push(...filesBelow(path, remarks, [...above, real]));
      else if (isManifest && there.isFile()) files.push(path);
      else if (isManifest) remarks.problems.push({ file: path, message: noFileText });
    } catch (error) {
      // Of a link that leads nowhere only the name tells whether something is missing.
      const isMissing = isManifest || !entry.isSymbolicLink();
      const message = readErrorText(error);
      if (isMissing) remarks.problems.push({ file: path, message });
      else remarks.notes.push({ file: path, message: `passed over: ${message}` });
    }
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
  holdText(bytes.length);
  return decodeText(bytes);
}
