import { existsSync, statSync } from 'node:fs';
import { decodeText, readBytes, readErrorText, sizeText } from '@kubeadmit/files';
import { type InputProblem, Source } from '@kubeadmit/manifest';
import type { Terminal } from '../process/terminal.ts';
import { readElsewhere } from './elsewhere/elsewhere.ts';
import type { ProgramSettings } from './elsewhere/programs.ts';
import { type EntryBudget, type FolderRemarks, filesBelow } from './folder-files.ts';
import { expandGlob, isGlob } from './glob.ts';
import { type IgnoreOptions, ignoreRules } from './ignore.ts';
import { withoutPatches } from './kustomize.ts';
import { boundaryOf, type ReadBoundary } from './local/boundary.ts';
import { SkippedFiles } from './local/skipped-files.ts';
import { holdText } from './memory-watch.ts';
import { openInput } from './streams.ts';

/** The files of the given paths, and those that could not be read. */
export interface ReadSources {
  readonly sources: readonly Source[];
  readonly problems: readonly InputProblem[];
  /** Remarks about how files were read. */
  readonly notes: readonly InputProblem[];
  /** The manifests that were found and not read, each with the reason. */
  readonly skipped: readonly InputProblem[];
  /** The sources that were found in folders, and not named. */
  readonly found: ReadonlySet<Source>;
  /** The test suites in the folders; absent among the sources. */
  readonly suites: readonly Source[];
}

/** The options of commands about the files that they read. */
export interface FileOptions extends IgnoreOptions {
  /** The size in bytes above which a file is not read; default 128 MiB. */
  readonly maxFileSize?: number;
  /** Whether links and files may lead to any other file; default only to those of the repository or folder. */
  readonly allowOutside?: boolean;
  /** Whether kustomizations may fetch remote bases (default: false). */
  readonly allowRemoteBases?: boolean;
}

/** Which files are read. */
export interface SourceOptions extends FileOptions {
  /**
   * Whether revisions (`main:policies/`), URLs (`https://…`, `oci://…`), archives, charts and kustomizations are read,
   * which may run programs of the user; default not.
   */
  readonly isFollowing?: boolean;
  /** Values files of charts. */
  readonly helmValues?: readonly string[] | undefined;
  /** The namespace that charts are rendered for. */
  readonly namespace?: string | undefined;
  /** The Kubernetes version that charts are rendered for. */
  readonly kubernetesVersion?: string | undefined;
  /** Where links and files may lead; default the boundary of the paths. */
  readonly boundary?: ReadBoundary;
  /** Whether a file names the paths, and not the command line, which is trusted; default not. */
  readonly isNamedByFile?: boolean;
  /** Whether skipped manifests are looked for; default true. */
  readonly reportsSkipped?: boolean;
}

/** How the files of one call are read, and how problems are reported. */
interface Reading extends FolderRemarks {
  readonly boundary: ReadBoundary;
  /** Whether a file names the paths, and not the command line. */
  readonly isNamedByFile: boolean;
  readonly ignored: ReturnType<typeof ignoreRules>;
  readonly settings: ProgramSettings;
}

/**
 * Reads files, folders (recursively `*.yaml`, `*.yml`, `*.json`, sorted by name, without those that `wanted-names.ts`
 * and `.kubeadmitignore` exclude), patterns such as `policies/*.yaml`, and `-` (standard input). Manifests that are
 * found and not read are reported.
 */
export async function readSources(
  paths: readonly string[],
  terminal: Terminal,
  options: SourceOptions = {},
): Promise<ReadSources> {
  const reading = readingOf(paths, terminal, options);
  const sources: Source[] = [];
  const found = new Set<Source>();
  for (const path of paths) {
    if (options.isFollowing === true && terminal.folder === undefined && path !== '-') {
      const there = await follow(path, reading);
      if (there !== undefined) {
        sources.push(...there.texts);
        if (there.isFound) for (const each of there.texts) found.add(each);
        continue;
      }
    }
    for (const file of filesOf(path, reading)) {
      const source = await readSource(file, file === path, reading, terminal);
      if (source === undefined) continue;
      sources.push(source);
      if (file !== path) found.add(source);
    }
  }
  const { problems, notes, skipped } = reading;
  return { sources, problems, notes, skipped: skipped.files, found, suites: skipped.suites };
}

/** The files of a folder that {@link readSources} reads, whether or not they can be read, as far as a budget allows. */
export function listFolder(folder: string, budget: EntryBudget): readonly string[] {
  const reading = { ...readingOf([folder], { env: {} }, { reportsSkipped: false }), budget };
  return filesOf(folder, reading).filter((file) => reading.ignored(file) === undefined);
}

function readingOf(
  paths: readonly string[],
  { env, folder }: Pick<Terminal, 'env' | 'folder'>,
  options: SourceOptions,
): Reading {
  const {
    maxFileSize = 128 * 2 ** 20,
    boundary = boundaryOf(paths, options, folder === undefined ? {} : { folder }),
    isNamedByFile = false,
  } = options;
  const skipped = new SkippedFiles(options.reportsSkipped);
  return {
    problems: [],
    notes: [],
    skipped,
    boundary,
    isNamedByFile,
    ignored: ignoreRules(options, folder),
    settings: { ...options, env, maxFileSize, boundary, skipped },
  };
}

/** Reads one file; undefined if it is ignored or cannot be read, which is reported. */
async function readSource(
  file: string,
  isNamed: boolean,
  { ignored, skipped, problems, isNamedByFile, settings: { maxFileSize } }: Reading,
  terminal: Terminal,
): Promise<Source | undefined> {
  if (file !== '-') {
    const by = ignored(file);
    if (by !== undefined) {
      // An option is the user's own word.
      if (!by.startsWith('--')) skipped.addFile(file, `excluded by ${by}`);
      return undefined;
    }
  }
  const name = file === '-' ? '<stdin>' : file;
  try {
    const limits = { maxSize: maxFileSize, sizeOption: '--max-file-size' };
    const regularOnly = !isNamed || isNamedByFile;
    const bytes =
      file === '-'
        ? await readAll(terminal, maxFileSize)
        : readBytes(file, { ...limits, regularOnly });
    return new Source(name, decode(bytes));
  } catch (error) {
    problems.push({ file: name, message: readErrorText(error) });
    return undefined;
  }
}

/** The texts of a path that is not a plain file or folder; undefined for those that are. */
async function follow(
  path: string,
  { problems, notes, settings }: Reading,
): Promise<{ readonly texts: readonly Source[]; readonly isFound: boolean } | undefined> {
  try {
    const there = await readElsewhere(path, settings);
    if (there === undefined) return undefined;
    const { texts, note, isFound } = there;
    if (note !== undefined) notes.push({ file: path, message: note });
    return { texts: texts.map(({ name, bytes }) => new Source(name, decode(bytes))), isFound };
  } catch (error) {
    problems.push({ file: path, message: readErrorText(error) });
    return { texts: [], isFound: false };
  }
}

/** Returns the files that a path names; unreadable ones are reported. */
function filesOf(path: string, reading: Reading): readonly string[] {
  const { problems, boundary, isNamedByFile } = reading;
  if (path === '-') return [path];
  try {
    if (path === '') throw new Error('the path is empty; name a file or a folder');
    if (!existsSync(path) && isGlob(path)) return filesOfPattern(path, reading);
    if (isNamedByFile) boundary.require(path);
    else boundary.requireNamed(path);
    if (!statSync(path).isDirectory()) return [path];
    const files = withoutPatches(filesBelow(path, boundary, reading), reading);
    if (files.length > 0) return files;
    throw new Error('no manifests in this folder (*.yaml, *.yml, *.json)');
  } catch (error) {
    const hint = path === '' ? '' : missingHint(path);
    problems.push({ file: path === '' ? "''" : path, message: `${readErrorText(error)}${hint}` });
    return [];
  }
}

function filesOfPattern(pattern: string, reading: Reading): readonly string[] {
  const { boundary, isNamedByFile } = reading;
  // A pattern in a file could walk through everything on the machine.
  const isEntered = (folder: string): boolean => !isNamedByFile || boundary.isOnTheWay(folder);
  const paths = expandGlob(pattern, isEntered);
  if (paths.length === 0) throw new Error('no file matches this pattern');
  return [...new Set(paths.flatMap((path) => filesOf(path, reading)))];
}

/** A hint for a path that does not exist. */
function missingHint(path: string): string {
  if (existsSync(path)) return '';
  if (path.startsWith('file://')) return ' (remove `file://` from the path)';
  if (path.startsWith('~')) return ' (the shell expands `~` only unquoted and at the start)';
  if (/^(?:[a-z][\w+.-]*:\/\/|[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|dev|net)\/)/i.test(path))
    return ' (URLs start with `https://` or `oci://`)';
  const isList = path.includes(',') && path.split(',').some((part) => existsSync(part));
  return isList ? ' (separate paths with spaces, not commas)' : '';
}

async function readAll(terminal: Terminal, maxFileSize: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await openInput('-', terminal)) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    size += bytes.length;
    if (size > maxFileSize) {
      throw new Error(`larger than ${sizeText(maxFileSize)} (--max-file-size)`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  holdText(bytes.length);
  const text = decodeText(bytes);
  if (text.startsWith(lfsPointer)) {
    throw new Error('a pointer of Git LFS instead of the file; run `git lfs pull`');
  }
  return text;
}

/** The start of the files that git stores instead of those of Git LFS. */
const lfsPointer = 'version https://git-lfs.github.com/spec/';
