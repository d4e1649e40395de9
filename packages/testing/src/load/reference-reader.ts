import { getOrMake } from '@kubeadmit/base';
import {
  formatPlace,
  type InputProblem,
  Manifest,
  type ManifestObject,
  type Path,
  readManifests,
  type Source,
} from '@kubeadmit/manifest';
import type { SourceReference, WrittenObject } from '../format/source-reference.ts';
import type { Suite } from '../format/suite.ts';
import type { TestHost } from '../kyverno-tests/test-reader.ts';

/** A problem that prevents cases from running. It is reported for each affected case and never thrown further. */
export class CaseProblem extends Error {
  readonly problem: InputProblem | undefined;

  constructor(message: string, problem?: InputProblem) {
    super(message);
    this.problem = problem;
  }

  /** The message with the position of the problem. */
  get text(): string {
    const { file = '', place } = this.problem ?? {};
    const where = place === undefined ? '' : `${formatPlace(file, place)}: `;
    return this.message.startsWith(where) ? this.message : `${where}${this.message}`;
  }
}

/** Reads the files that a suite refers to, each file once. */
export class ReferenceReader {
  readonly #suite: Suite;
  readonly #host: TestHost;
  readonly #manifests = new Map<string, Promise<readonly Manifest[]>>();

  constructor(suite: Suite, host: TestHost) {
    this.#suite = suite;
    this.#host = host;
  }

  /**
   * Every object of a file, a folder or a pattern, the one that is chosen of a file, or the one that is written in the
   * suite.
   */
  async all(reference: SourceReference): Promise<readonly Manifest[]> {
    if (typeof reference !== 'string') return [this.written(reference)];
    return chosenOfFile.test(reference) ? [await this.one(reference)] : this.#read(reference);
  }

  /**
   * The one object that is meant: `FILE`, `FILE#Kind/name`, `FILE#Kind/namespace/name`, `FILE#2` or a written one.
   *
   * @throws CaseProblem where none or several are meant.
   */
  async one(reference: SourceReference): Promise<Manifest> {
    if (typeof reference !== 'string') return this.written(reference);
    const hash = reference.lastIndexOf('#');
    const file = hash === -1 ? reference : reference.slice(0, hash);
    const chosen = hash === -1 ? '' : reference.slice(hash + 1);
    const manifests = await this.#read(file);
    const found = manifests.filter((manifest, at) => isMeant(manifest, at, chosen));
    const [first] = found;
    if (first !== undefined && found.length === 1) return first;
    const there = manifests.map(nameOf).join(', ');
    if (first === undefined) throw new CaseProblem(`${reference}: no such object; found ${there}`);
    throw new CaseProblem(
      `${reference}: ${found.length} objects; choose one with # (found ${there})`,
    );
  }

  /** An object that is written in the suite. */
  written({ path, object }: WrittenObject): Manifest {
    const { origin, path: root } = this.#suite.document;
    const { apiVersion, kind } = object as Partial<ManifestObject>;
    for (const [name, value] of [
      ['apiVersion', apiVersion],
      ['kind', kind],
    ] as const) {
      if (typeof value === 'string' && value !== '') continue;
      const message = `not a Kubernetes object: \`${name}\` is missing`;
      throw new CaseProblem(message, this.problemAt(path, message));
    }
    return new Manifest(object, origin, [...root, ...path]);
  }

  /** The review of a request that is written in the suite. */
  review({ path, object }: WrittenObject): Manifest {
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: object };
    const { origin, path: root } = this.#suite.document;
    // The request is in the field `request`.
    return new Manifest(review, origin, [...root, ...path.slice(0, -1)]);
  }

  /** A problem at a path of the suite. */
  problemAt(path: Path, message: string): InputProblem {
    const { document, source, file } = this.#suite;
    const root = new Manifest(document.value as never, document.origin, document.path);
    return { file, place: root.place(path), message, source };
  }

  #read(path: string): Promise<readonly Manifest[]> {
    return getOrMake(this.#manifests, path, () => this.#readFiles(path));
  }

  async #readFiles(path: string): Promise<readonly Manifest[]> {
    if (/^[a-z]+:\/\//.test(path)) {
      throw new CaseProblem(`${path}: files are not read from the network`);
    }
    const { sources, problems } = await this.#host.read(path, this.#suite.file);
    const [problem] = problems;
    if (problem !== undefined)
      throw new CaseProblem(`${problem.file}: ${problem.message}`, problem);
    const isNamed = sources.length === 1 && sources[0]?.name.endsWith(path) === true;
    const manifests = sources.flatMap((source) => readFile(source, isNamed));
    if (manifests.length === 0)
      throw new CaseProblem(`${path}: the file contains no Kubernetes object`);
    return manifests;
  }
}

/** Folders may have a `#` in their names as well. */
const chosenOfFile = /\.(?:ya?ml|json)\}?#[^#]+$/;

function readFile(source: Source, isNamed: boolean): readonly Manifest[] {
  const { manifests, problems } = readManifests(source);
  // In folders lie other things too, such as values of charts.
  const [problem] = problems.filter(({ isForeign }) => isNamed || isForeign !== true);
  if (problem === undefined) return manifests;
  throw new CaseProblem(problem.message, problem);
}

function isMeant(manifest: Manifest, at: number, chosen: string): boolean {
  if (chosen === '') return true;
  if (/^\d+$/.test(chosen)) return at + 1 === Number(chosen);
  const { kind, name, namespace } = manifest;
  return [
    name,
    `${kind}/${name}`,
    `${kind}/${namespace}/${name}`,
    `*/${namespace}/${name}`,
  ].includes(chosen);
}

function nameOf({ kind, name, namespace }: Manifest): string {
  return [kind, namespace, name].filter((part) => part !== '').join('/');
}
