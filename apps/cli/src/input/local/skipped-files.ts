import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText, readBytes } from '@kubeadmit/files';
import { type InputProblem, readManifests, Source } from '@kubeadmit/manifest';
import { isSuite, mayHoldManifests } from './wanted-names.ts';

/** Files in skipped folders that are looked at, at most: `node_modules` may be huge. */
const mostFiles = 50_000;

/** The API group of kustomize's own files, which no cluster stores. */
const kustomizeGroup = 'kustomize.config.k8s.io/';

/**
 * The manifests that were found and not read. A stranger may control the names and files by which a command skips
 * manifests, so each file with Kubernetes objects is reported.
 */
export class SkippedFiles {
  readonly #files: InputProblem[] = [];
  readonly #suites: Source[] = [];
  readonly #isReported: boolean;
  #looked = 0;

  /** @param isReported whether skipped files are reported; otherwise they are not read (default: true) */
  constructor(isReported = true) {
    this.#isReported = isReported;
  }

  /** The skipped files, each with the reason. */
  get files(): readonly InputProblem[] {
    return this.#files;
  }

  /** The test suites among the skipped files. */
  get suites(): readonly Source[] {
    return this.#suites;
  }

  /** Adds a file or folder, whatever is in it. */
  add(file: string, why: string): void {
    this.#files.push({ file, message: `skipped: ${why}` });
  }

  /** Adds a file if it contains Kubernetes objects, or cannot be read. */
  addFile(file: string, why: string): void {
    if (!this.#isReported) return;
    try {
      this.addBytes(file, readBytes(file, { regularOnly: true }), why);
    } catch {
      this.add(file, why);
    }
  }

  /** Adds a file of this content if it contains Kubernetes objects. */
  addBytes(file: string, bytes: Uint8Array, why: string): void {
    const text = textOf(bytes);
    if (text === undefined) return;
    if (isSuite(file)) this.#suites.push(new Source(file, text));
    if (holdsObjects(file, text)) this.add(file, why);
  }

  /**
   * Adds the files with Kubernetes objects in a folder that is skipped; links are not followed.
   *
   * @param isSkipped which of its files are skipped; default all
   */
  addFolder(folder: string, why: string, isSkipped: (file: string) => boolean = () => true): void {
    if (!this.#isReported) return;
    for (const entry of readEntries(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') this.addFolder(path, why, isSkipped);
      else if (entry.isFile() && mayHoldManifests(entry.name) && isSkipped(path)) {
        this.#looked++;
        if (this.#looked < mostFiles) this.addFile(path, why);
        else if (this.#looked === mostFiles)
          this.add(folder, `${why}; the folder is too large to list its files`);
      }
    }
  }
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decodeText(bytes);
  } catch {
    return undefined;
  }
}

function holdsObjects(file: string, text: string): boolean {
  // Escapes may spell the name of the field.
  if (!/apiVersion|\\[uUx]/.test(text)) return false;
  const { manifests, problems } = readManifests(new Source(file, text));
  return (
    manifests.some(({ apiVersion }) => !apiVersion.startsWith(kustomizeGroup)) ||
    problems.some(({ isForeign }) => isForeign !== true)
  );
}
