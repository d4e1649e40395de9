import { getOrMake } from '@kubeadmit/base';
import type { ImageVerifier } from '@kubeadmit/kyverno';
import {
  type InputProblem,
  type Manifest,
  type ReadDocument,
  readDocuments,
  readManifests,
  type Source,
} from '@kubeadmit/manifest';

/** The environment that tests run in: a program or a page. */
export interface TestHost {
  /**
   * Reads a file, or all manifests in a folder, by a path in a test; `from` is the file of the test. Unreadable files
   * are reported among the problems.
   */
  readonly read: (
    path: string,
    from: string,
  ) => Promise<{
    readonly sources: readonly Source[];
    readonly problems: readonly InputProblem[];
  }>;
  /** Receives warnings about files that are still usable. */
  readonly warn: (problem: InputProblem) => void;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Verifies images; without it, rules that verify images are not evaluated. */
  readonly images?: ImageVerifier | undefined;
}

/** Says that a test cannot be run; caught where it is. */
export class TestProblem extends Error {}

/** Reads the files that a test names, each file once. */
export class TestReader {
  readonly #from: string;
  readonly #host: TestHost;
  readonly #sources = new Map<string, Promise<readonly Source[]>>();
  readonly #documents = new Map<string, Promise<readonly ReadDocument[]>>();

  constructor(from: string, host: TestHost) {
    this.#from = from;
    this.#host = host;
  }

  /** The documents of files and folders. */
  async documents(paths: readonly string[]): Promise<readonly ReadDocument[]> {
    const documents: ReadDocument[] = [];
    for (const path of paths) {
      documents.push(...(await getOrMake(this.#documents, path, () => this.#readDocuments(path))));
    }
    return documents;
  }

  /** Reads the Kubernetes objects of files and folders; warns about documents that are not Kubernetes objects. */
  async manifests(paths: readonly string[]): Promise<readonly Manifest[]> {
    const manifests: Manifest[] = [];
    for (const path of paths) {
      for (const source of await this.#read(path)) {
        const read = readManifests(source);
        manifests.push(...read.manifests);
        read.problems.forEach(this.#host.warn);
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

  #read(path: string): Promise<readonly Source[]> {
    return getOrMake(this.#sources, path, async () => {
      if (/^https?:/.test(path))
        throw new TestProblem(`${path}: files are not read from the network`);
      const { sources, problems } = await this.#host.read(path, this.#from);
      throwFirst(problems);
      return sources;
    });
  }
}

function throwFirst(problems: readonly InputProblem[]): void {
  const [problem] = problems;
  if (problem !== undefined) throw new TestProblem(`${problem.file}: ${problem.message}`);
}
