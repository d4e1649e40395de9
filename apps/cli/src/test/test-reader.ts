import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  type Manifest,
  type ReadDocument,
  readDocuments,
  readManifests,
  Source,
} from '@kubeadmit/manifest';
import { readSources } from '../input/sources.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import type { Terminal } from '../terminal.ts';

/** Says that a test cannot be run; caught where it is. */
export class TestProblem extends Error {}

/** Reads files by paths that are relative to the folder of a test, each once. */
export class TestReader {
  readonly #folder: string;
  readonly #terminal: Terminal;
  readonly #sources = new Map<string, readonly Source[]>();
  readonly #documents = new Map<string, readonly ReadDocument[]>();

  constructor(folder: string, terminal: Terminal) {
    this.#folder = folder;
    this.#terminal = terminal;
  }

  /** The documents of files and folders. */
  async documents(paths: readonly string[]): Promise<readonly ReadDocument[]> {
    const documents: ReadDocument[] = [];
    for (const path of paths) {
      const known = this.#documents.get(path) ?? (await this.#readDocuments(path));
      this.#documents.set(path, known);
      documents.push(...known);
    }
    return documents;
  }

  /** The Kubernetes objects of files and folders; warns of documents that are none. */
  async manifests(paths: readonly string[]): Promise<readonly Manifest[]> {
    const manifests: Manifest[] = [];
    const { stderr, env } = this.#terminal;
    for (const path of paths) {
      for (const source of await this.#read(path)) {
        const read = readManifests(source);
        manifests.push(...read.manifests);
        for (const problem of read.problems) {
          stderr.write(problemText(problem, 'warning', styleFor(stderr, env)));
        }
      }
    }
    return manifests;
  }

  async #readDocuments(path: string): Promise<readonly ReadDocument[]> {
    const documents: ReadDocument[] = [];
    for (const source of await this.#read(path)) {
      const read = readDocuments(source);
      throwFirst(read.problems);
      documents.push(...read.documents);
    }
    return documents;
  }

  async #read(path: string): Promise<readonly Source[]> {
    const full = isAbsolute(path) ? path : join(this.#folder, path);
    const known = this.#sources.get(full) ?? (await readAll(full, this.#terminal));
    this.#sources.set(full, known);
    return known;
  }
}

async function readAll(path: string, terminal: Terminal): Promise<readonly Source[]> {
  if (/^https?:/.test(path)) throw new TestProblem(`${path}: files of the network are not read`);
  const file = readFileText(path);
  if (file !== undefined) return [new Source(path, file)];
  const { sources, problems } = await readSources([path], terminal);
  throwFirst(problems);
  return sources;
}

/** The text of a file, read at once since tests name many small ones; undefined for anything else. */
function readFileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function throwFirst(
  problems: readonly { readonly file: string; readonly message: string }[],
): void {
  const [problem] = problems;
  if (problem !== undefined) throw new TestProblem(`${problem.file}: ${problem.message}`);
}
