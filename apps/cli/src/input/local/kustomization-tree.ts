import { realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Value } from '@kubeadmit/cel';
import { readText } from '@kubeadmit/files';
import { formatPlace, isRecord, readDocuments, Source } from '@kubeadmit/manifest';
import type { ReadBoundary } from './boundary.ts';
import { ElsewhereError } from './found-text.ts';
import { isFile } from './paths.ts';

/** The parts of a kustomization, and of those that it names. */
export interface KustomizationTree {
  /** The real paths of the files that are named. */
  readonly files: ReadonlySet<string>;
  /** The URLs and git repositories that kustomize would fetch. */
  readonly remote: readonly string[];
  /** Paths outside of the boundary. */
  readonly outside: readonly string[];
}

/** The names by which kustomize knows a folder. */
const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Whether a folder is a kustomization. */
export function isKustomization(folder: string): boolean {
  return kustomizationNames.some((name) => isFile(join(folder, name)));
}

/**
 * Follows the paths in the kustomization of a folder, and in those of the folders that it names.
 *
 * @throws ElsewhereError for a file that kustomize may read in another way than this program does
 */
export function readKustomizationTree(folder: string, boundary: ReadBoundary): KustomizationTree {
  const reader = new TreeReader(boundary);
  reader.readFolder(folder, false);
  return reader;
}

/** Fields with any text, in which no path is looked for. */
const textFields = new Set([
  'annotations',
  'apiVersion',
  'apiVersions',
  'commonAnnotations',
  'commonLabels',
  'fieldPath',
  'fieldPaths',
  'fieldref',
  'images',
  'kind',
  'labels',
  'literals',
  'metadata',
  'objref',
  'options',
  'patch',
  'source',
  'target',
  'targets',
  'type',
  'values',
  'valuesInline',
]);

/** Fields that list configurations of plugins: YAML, files with it, or folders of such files. */
const pluginFields = ['generators', 'transformers', 'validators'];

class TreeReader implements KustomizationTree {
  readonly files = new Set<string>();
  readonly remote: string[] = [];
  readonly outside: string[] = [];
  readonly #boundary: ReadBoundary;
  readonly #seen = new Set<string>();

  constructor(boundary: ReadBoundary) {
    this.#boundary = boundary;
  }

  /** @param isOfPlugins whether the resources of the folder are configurations of plugins */
  readFolder(folder: string, isOfPlugins: boolean): void {
    const real = realpathSync.native(folder);
    if (this.#isSeen(real, isOfPlugins)) return;
    for (const name of kustomizationNames) {
      const file = join(real, name);
      if (!exists(file)) continue;
      this.files.add(realpathSync.native(file));
      for (const value of valuesOf(readText(file, { regularOnly: true }), relative('', file))) {
        for (const text of textsOf(value)) this.#addPath(text, real, isOfPlugins);
        for (const text of pluginFields.flatMap((field) => [...textsOf(fieldOf(value, field))])) {
          this.#addPlugin(text, real);
        }
      }
    }
  }

  #isSeen(real: string, isOfPlugins: boolean): boolean {
    const key = `${isOfPlugins} ${real}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  /** Adds a text in the kustomization of a folder, if it is a path, or one behind the key of a generator. */
  #addPath(text: string, folder: string, isOfPlugins: boolean): void {
    for (const path of new Set([text.slice(text.indexOf('=') + 1), text])) {
      const full = resolve(folder, path);
      if (!exists(full)) {
        if (!isRemote(path)) continue;
        this.remote.push(path);
        return;
      }
      if (!this.#boundary.contains(full)) this.outside.push(path);
      else if (isFile(full)) this.#addFile(realpathSync.native(full), folder, isOfPlugins);
      else this.readFolder(full, isOfPlugins);
    }
  }

  #addFile(file: string, folder: string, isOfPlugins: boolean): void {
    this.files.add(file);
    if (!isOfPlugins || this.#isSeen(file, true)) return;
    const text = readText(file, { regularOnly: true });
    this.#addConfigurations(text, relative('', file), [dirname(file), folder]);
  }

  #addPlugin(text: string, folder: string): void {
    if (exists(resolve(folder, text))) this.#addPath(text, folder, true);
    else if (text.includes('\n'))
      this.#addConfigurations(text, relative('', folder) || '.', [folder]);
  }

  /** Adds the paths in configurations of plugins, which may be relative to several folders. */
  #addConfigurations(text: string, name: string, folders: readonly string[]): void {
    for (const value of valuesOf(text, name)) {
      for (const path of textsOf(value)) {
        for (const folder of new Set(folders)) this.#addPath(path, folder, false);
      }
    }
  }
}

/**
 * Whether kustomize would take a text for a URL, or for a repository that git fetches: with a scheme, as `USER@HOST:PATH`,
 * by a known or dotted host, or with a revision.
 */
function isRemote(text: string): boolean {
  // No URL has line breaks, but inline patches and configurations do.
  if (text.includes('\n')) return false;
  return (
    /^(?:[a-z][a-z0-9+.-]*(?:::|:\/\/)|[\w.-]+@[\w.-]+[:/]|gh:)/i.test(text) ||
    /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/./.test(text) ||
    /[?&](?:ref|version)=|\.git(?:\/|\?|$)|\/\/.*\//.test(text)
  );
}

/** The scalars of a value, however deep, that may be paths; kustomize takes numbers for texts, too. */
function* textsOf(value: Value | undefined): Generator<string> {
  if (typeof value === 'string') {
    if (value !== '' && !value.includes('\0')) yield value;
  } else if (Array.isArray(value)) for (const each of value) yield* textsOf(each as Value);
  else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (!textFields.has(key)) yield* textsOf(each as Value);
    }
  } else if (value !== null && value !== undefined) yield String(value);
}

/**
 * The values of a YAML text. kustomize accepts some texts that are invalid here, such as those with repeated keys, and
 * would follow unchecked paths in them.
 */
function valuesOf(text: string, name: string): readonly Value[] {
  const { documents, problems } = readDocuments(new Source(name, text));
  const [problem] = problems;
  if (problem === undefined) return documents.map(({ value }) => value);
  const where = formatPlace(name, problem.place);
  throw new ElsewhereError(`${where}: ${problem.message}; kustomize runs on valid files only`);
}

function fieldOf(value: Value, field: string): Value | undefined {
  return isRecord(value) && Object.hasOwn(value, field) ? (value[field] as Value) : undefined;
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Too long for a name: inline YAML.
    return false;
  }
}
