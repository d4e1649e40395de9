import type { JsonObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { isRecord, readDocuments } from '@kubeadmit/manifest';
import type { TestHost } from '../kyverno-tests/test-reader.ts';
import { CaseProblem } from '../load/reference-reader.ts';

/** Reads the files that a suite of gator names, by paths relative to the suite; each file once. */
export class GatorFiles {
  readonly #file: string;
  readonly #host: TestHost;
  readonly #objects = new Map<string, Promise<readonly JsonObject[]>>();

  constructor(file: string, host: TestHost) {
    this.#file = file;
    this.#host = host;
  }

  /**
   * The objects of a file.
   *
   * @throws CaseProblem where it cannot be read or holds none.
   */
  all(path: string): Promise<readonly JsonObject[]> {
    return getOrMake(this.#objects, path, () => this.#read(path));
  }

  /** The first object of a file, as gator reads templates and constraints. */
  async first(path: string): Promise<JsonObject> {
    const [first] = await this.all(path);
    return first ?? {};
  }

  /** The one object of a file. */
  async one(path: string): Promise<JsonObject> {
    const objects = await this.all(path);
    const [first] = objects;
    if (objects.length === 1 && first !== undefined) return first;
    throw new CaseProblem(`${path}: gator expects one object, found ${objects.length}`);
  }

  async #read(path: string): Promise<readonly JsonObject[]> {
    const { sources, problems } = await this.#host.read(path, this.#file);
    const read = sources.map((source) => readDocuments(source));
    const [problem] = [...problems, ...read.flatMap((each) => each.problems)];
    if (problem !== undefined) {
      throw new CaseProblem(`${problem.file}: ${problem.message}`, problem);
    }
    const values = read.flatMap(({ documents }) => documents.map(({ value }) => value));
    const objects = values.filter((value) => value !== null);
    for (const value of objects) {
      if (isRecord(value) && typeof value['kind'] === 'string' && value['kind'] !== '') continue;
      throw new CaseProblem(`${path}: not a Kubernetes object: \`kind\` is missing`);
    }
    if (objects.length === 0)
      throw new CaseProblem(`${path}: the file contains no Kubernetes object`);
    return objects as unknown as readonly JsonObject[];
  }
}
