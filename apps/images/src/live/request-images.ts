import type { ImageReference } from '@kubeadmit/kyverno/images';
import { readManifest } from '../registry/manifests.ts';
import {
  type Descriptor,
  type Manifest,
  type Registry,
  RegistryError,
  type Repository,
} from '../registry/registry.ts';
import type { ImageStore, Outcome } from './image-store.ts';
import {
  type Content,
  hostOf,
  keyOf,
  lengthOf,
  type Question,
  questionsAfter,
} from './question.ts';

/** How many parts of registries, and how many bytes, one request may need. */
const mostQuestions = 500;
const mostBytes = 64 * 2 ** 20;

const timeLimit = 'the time limit of the request has passed';

/**
 * The registries for the evaluation of one request: answers questions from known content and records the open questions.
 *
 * Evaluation cannot wait, so the request is evaluated again once the missing parts are read. Within a request, a question
 * always has the same answer.
 */
export class RequestImages implements Registry {
  readonly #store: ImageStore;
  readonly #answers = new Map<string, Outcome>();
  readonly #open = new Map<string, Question>();
  #bytes = 0;
  /** Why nothing more is read; empty while parts are read. */
  #closed: string;

  /** @param closed why nothing is read from the network, if only known content is used */
  constructor(store: ImageStore, closed: string = '') {
    this.#store = store;
    this.#closed = closed;
  }

  /** Whether parts of registries are missing that can still be read. */
  get hasOpenQuestions(): boolean {
    return this.#open.size > 0;
  }

  readonly manifest = (image: ImageReference): Manifest | undefined =>
    this.#contentOf({ kind: 'manifest', image }) as Manifest | undefined;

  readonly blob = (repository: Repository, descriptor: Descriptor): Uint8Array => {
    const content = this.#contentOf({ kind: 'blob', repository, descriptor });
    if (content instanceof Uint8Array) return content;
    throw new RegistryError(`missing content ${descriptor.digest}`);
  };

  readonly referrers = (repository: Repository, digest: string): readonly Descriptor[] => {
    const list = this.#contentOf({ kind: 'referrers', repository, digest });
    return list === undefined ? [] : readManifest(list as Manifest).manifests;
  };

  /**
   * Reads the missing parts until `until` is resolved. The next evaluation gets an answer or an error for each of them.
   */
  async answer(until: Promise<unknown>): Promise<void> {
    const reading = this.#answerAll([...this.#open.values()]);
    const isInTime = await Promise.race([reading.then(() => true), until.then(() => false)]);
    if (!isInTime) this.close(timeLimit);
    this.#open.clear();
  }

  /** Reads nothing more from registries. */
  close(reason: string): void {
    this.#closed = reason;
    this.#open.clear();
  }

  async #answerAll(questions: readonly Question[]): Promise<void> {
    await Promise.all(
      questions.map(async (question) => {
        const key = keyOf(question);
        if (this.#answers.has(key)) return;
        const outcome = await this.#store.fetch(question);
        if (this.#closed !== '') return;
        this.#keep(key, outcome);
        if ('content' in outcome) await this.#answerAll(questionsAfter(question, outcome.content));
      }),
    );
  }

  #keep(key: string, outcome: Outcome): void {
    this.#answers.set(key, outcome);
    this.#bytes += 'content' in outcome ? lengthOf(outcome.content) : 0;
    if (this.#bytes > mostBytes || this.#answers.size > mostQuestions) {
      this.close(`the images of the request need more than ${mostQuestions} parts or 64 MiB`);
    }
  }

  #contentOf(question: Question): Content {
    const key = keyOf(question);
    const known = this.#answers.get(key) ?? this.#recall(key, question);
    if (known === undefined) throw this.#missing(key, question);
    if ('error' in known) throw known.error;
    return known.content;
  }

  #recall(key: string, question: Question): Outcome | undefined {
    const known = this.#store.recall(question);
    if (known !== undefined && this.#closed === '') this.#keep(key, known);
    return known;
  }

  #missing(key: string, question: Question): RegistryError {
    if (this.#closed === '') this.#open.set(key, question);
    // An evaluation with open questions is the last one only if the time limit has passed.
    const reason = this.#closed || timeLimit;
    return new RegistryError(`the ${key} was not read from ${hostOf(question)}: ${reason}`);
  }
}
