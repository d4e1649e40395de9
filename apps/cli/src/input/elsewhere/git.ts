import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import {
  ElsewhereError,
  type FoundText,
  isKustomizationFile,
  unbuilt,
  type WantedFiles,
} from '../local/found-text.ts';
import { kustomizationText, mayHoldManifests, pathSkipReason } from '../local/wanted-names.ts';
import { outputOf, type ProgramSettings } from './programs.ts';

/** A path in a revision: `main:policies/`. */
export interface GitPath {
  readonly revision: string;
  readonly path: string;
}

/**
 * Parses `REVISION:PATH`, as git writes it; undefined for other paths. A file or folder of that name never takes the
 * place of the revision: `./REVISION:PATH` names the file.
 */
export function gitPath(text: string): GitPath | undefined {
  const [, revision, path] = /^([^:\s]{2,}):([^:]*)$/.exec(text) ?? [];
  if (revision === undefined || path === undefined || path.startsWith('//')) return undefined;
  // git would take a dash for an option, and no name of a revision begins with a dot or a slash.
  return /^[-./]/.test(revision) ? undefined : { revision, path };
}

/**
 * Returns the files below a path of a revision, sorted by name. The user's own `git` reads them from the repository of
 * the working directory.
 *
 * @throws ElsewhereError for an unknown revision or path, and for a folder without manifests
 */
export function readRevision({ revision, path }: GitPath, settings: ProgramSettings): WantedFiles {
  const git = gitWith(settings);
  const commit = text(commitOf(git, { revision, path }));
  const asked = path.replace(/^\.\//, '').replace(/\/+$/, '');
  const listed = text(git('ls-tree', '-r', '-z', commit, '--', asked === '' ? '.' : asked));
  const entries = listed
    .split('\0')
    .filter((line) => line !== '')
    .map(entryOf);
  if (entries.length === 0) {
    throw missing({ revision, path });
  }
  const { skipped } = settings;
  const isFile = entries.length === 1 && entries[0]?.name === asked;
  const isTopmost = (name: string): boolean => !isFile && isKustomizationFile(name);
  const nameOf = (name: string): string => `${revision}:${name}`;
  const textOf = (name: string): FoundText => ({
    name: nameOf(name),
    bytes: git('cat-file', 'blob', `${commit}:./${name}`),
  });
  const read: string[] = [];
  for (const { name, mode } of entries) {
    if (mode === submodule) skipped.add(nameOf(name), submoduleText);
    else if (mode === link) {
      if (mayLeadToManifests(git, commit, name)) skipped.add(nameOf(name), linkText);
    } else if (isFile || mayHoldManifests(name)) {
      const why = isTopmost(name) ? kustomizationText : pathSkipReason(name);
      if (isFile || why === undefined) read.push(name);
      else skipped.addBytes(nameOf(name), textOf(name).bytes, why);
    }
  }
  if (read.length === 0) {
    throw new ElsewhereError('no manifests in this folder (*.yaml, *.yml, *.json)');
  }
  const texts = read.map(textOf);
  return entries.some(({ name }) => isTopmost(name))
    ? { texts, note: unbuilt('revision') }
    : { texts };
}

/** A line of `git ls-tree`. */
interface TreeEntry {
  readonly mode: string;
  readonly name: string;
}

function entryOf(line: string): TreeEntry {
  return { mode: line.slice(0, 6), name: line.slice(line.indexOf('\t') + 1) };
}

// The contents of these entries are elsewhere, and may be policies.
const link = '120000';
const linkText = 'symbolic links are not followed in a revision; name the target';
const submodule = '160000';
const submoduleText = 'submodules are not read in a revision; name a revision of their repository';

/** Whether a link in a commit has the name of a manifest, or leads to anything but a file of the commit. */
function mayLeadToManifests(git: Git, commit: string, name: string): boolean {
  if (mayHoldManifests(name)) return true;
  const target = posix.join(
    posix.dirname(name),
    text(git('cat-file', 'blob', `${commit}:./${name}`)),
  );
  try {
    return text(git('cat-file', '-t', `${commit}:./${target}`)) !== 'blob';
  } catch (error) {
    if (!(error instanceof ElsewhereError)) throw error;
    return true;
  }
}

/**
 * Returns one file of a revision.
 *
 * @throws ElsewhereError for an unknown revision or file
 */
export function readRevisionFile(
  { revision, path }: GitPath,
  settings: Pick<ProgramSettings, 'env' | 'maxFileSize'>,
): Uint8Array {
  const git = gitWith(settings);
  const commit = text(commitOf(git, { revision, path }));
  const file = path.replace(/^\.\//, '');
  if (text(git('ls-tree', commit, '--', file)) === '') throw missing({ revision, path });
  return git('cat-file', 'blob', `${commit}:./${file}`);
}

function missing({ revision, path }: GitPath): ElsewhereError {
  return new ElsewhereError(
    `\`${path}\` does not exist in ${revision} (relative to the working directory)`,
  );
}

/** Runs git with arguments and returns its output. */
type Git = (...args: readonly string[]) => Uint8Array;

/**
 * Keeps git from using a bare repository in the checkout, with other revisions and another configuration, as the
 * repository of the working directory.
 */
const gitSafety = ['-c', 'safe.bareRepository=explicit'];

function gitWith(settings: Pick<ProgramSettings, 'env' | 'maxFileSize'>): Git {
  // A prompt for a password would wait without end.
  const env = { ...settings.env, GIT_TERMINAL_PROMPT: '0' };
  return (...args) => {
    const bytes = outputOf('git', [...gitSafety, ...args], { ...settings, env });
    if (bytes === undefined)
      throw new ElsewhereError('git is not installed, and it is required to read a revision');
    return bytes;
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').trim();
}

function commitOf(git: Git, { revision, path }: GitPath): Uint8Array {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch (error) {
    // git ends like this for an unknown name.
    if (!(error instanceof ElsewhereError) || error.exitCode !== 1) throw error;
    const file = `${revision}:${path}`;
    const hint = existsSync(file) ? `; use \`./${file}\` to read the file` : '';
    throw new ElsewhereError(`unknown git revision \`${revision}\`${hint}`);
  }
}
