import { existsSync } from 'node:fs';
import { kustomizationText, mayHoldManifests, pathSkipReason } from '../wanted-names.ts';
import {
  ElsewhereError,
  type FoundText,
  isKustomizationFile,
  unbuilt,
  type WantedFiles,
} from './found-text.ts';
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
  const listed = text(
    git('ls-tree', '-r', '-z', '--name-only', commit, '--', asked === '' ? '.' : asked),
  );
  const names = listed.split('\0').filter((name) => name !== '');
  if (names.length === 0) {
    throw new ElsewhereError(
      `\`${path}\` does not exist in ${revision} (relative to the working directory)`,
    );
  }
  const isFile = names.length === 1 && names[0] === asked;
  const isTopmost = (name: string): boolean => !isFile && isKustomizationFile(name);
  const textOf = (name: string): FoundText => ({
    name: `${revision}:${name}`,
    bytes: git('cat-file', 'blob', `${commit}:./${name}`),
  });
  const read: string[] = [];
  for (const name of names.filter((each) => isFile || mayHoldManifests(each))) {
    const why = isTopmost(name) ? kustomizationText : pathSkipReason(name);
    if (isFile || why === undefined) read.push(name);
    else settings.skipped.addBytes(`${revision}:${name}`, textOf(name).bytes, why);
  }
  if (read.length === 0) {
    throw new ElsewhereError('no manifests in this folder (*.yaml, *.yml, *.json)');
  }
  const texts = read.map(textOf);
  return names.some(isTopmost) ? { texts, note: unbuilt('revision') } : { texts };
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
  return git('cat-file', 'blob', `${commit}:./${path.replace(/^\.\//, '')}`);
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
