import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Value } from '@kubeadmit/cel';
import { readText } from '@kubeadmit/files';
import { isRecord, readDocuments, Source } from '@kubeadmit/manifest';
import type { ReadBoundary } from './boundary.ts';

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

/** Follows the paths in the kustomization of a folder, and in those of the folders that it names. */
export function readKustomizationTree(folder: string, boundary: ReadBoundary): KustomizationTree {
  const reader = new TreeReader(boundary);
  reader.readFolder(folder);
  return reader;
}

/** Fields with any text, in which no path is looked for. */
const textFields = new Set([
  'commonAnnotations',
  'commonLabels',
  'images',
  'labels',
  'literals',
  'metadata',
  'options',
  'patch',
]);

class TreeReader implements KustomizationTree {
  readonly files = new Set<string>();
  readonly remote: string[] = [];
  readonly outside: string[] = [];
  readonly #boundary: ReadBoundary;
  readonly #seen = new Set<string>();

  constructor(boundary: ReadBoundary) {
    this.#boundary = boundary;
  }

  readFolder(folder: string): void {
    const real = realpathSync.native(folder);
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    for (const name of kustomizationNames) {
      const file = join(real, name);
      if (!isFile(file)) continue;
      this.files.add(realpathSync.native(file));
      for (const text of textsOf(rootOf(file))) this.#addPath(text, file);
    }
  }

  #addPath(text: string, from: string): void {
    const folder = dirname(from);
    // Generators put the key of a file before its path.
    const path = exists(resolve(folder, text)) ? text : text.replace(/^[^=/]*=/, '');
    const full = resolve(folder, path);
    if (isRemote(path) && !exists(full)) this.remote.push(path);
    else if (!this.#boundary.contains(full)) this.outside.push(path);
    else if (isFile(full)) this.files.add(realpathSync.native(full));
    else if (exists(full)) this.readFolder(full);
  }
}

/**
 * Whether kustomize would take a text for a URL, or for a repository that git fetches: with a scheme, as `USER@HOST:PATH`,
 * by a known or dotted host, or with a revision.
 */
function isRemote(text: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]*(?:::|:\/\/)|[\w.-]+@[\w.-]+[:/]|gh:)/i.test(text) ||
    /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/./.test(text) ||
    /[?&](?:ref|version)=|\.git(?:\/|\?|$)|\/\/.*\//.test(text)
  );
}

/** The texts of a value, however deep, that may be paths. */
function* textsOf(value: Value | undefined): Generator<string> {
  if (typeof value === 'string') {
    if (value !== '' && !/[\n\0]/.test(value)) yield value;
  } else if (Array.isArray(value)) for (const each of value) yield* textsOf(each as Value);
  else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (!textFields.has(key)) yield* textsOf(each as Value);
    }
  }
}

/** The first document of a file; undefined if it cannot be read, which kustomize then reports. */
function rootOf(file: string): Value | undefined {
  try {
    return readDocuments(new Source(file, readText(file, { regularOnly: true }))).documents[0]
      ?.value;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
