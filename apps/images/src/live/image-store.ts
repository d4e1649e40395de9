import { errorText } from '@kubeadmit/base';
import type { RemoteRegistry } from '../registry/record.ts';
import { type Descriptor, RegistryError } from '../registry/registry.ts';
import { DownloadError, UnreachableError } from '../remote/download.ts';
import { ResponseError } from '../remote/response-error.ts';
import { VerificationFailure } from '../signatures/verification-failure.ts';
import { BoundedCache } from './bounded-cache.ts';
import { FetchSlots } from './fetch-slots.ts';
import { type Content, hostOf, isFixed, keyOf, lengthOf, type Question } from './question.ts';

/** The answer to a question, or the error of a verification that needs it. */
export type Outcome = { readonly content: Content } | { readonly error: Error };

/** The result of a fetch; `refused` is an error of the registry, or content that is invalid or too large. */
export type FetchResult = 'found' | 'missing' | 'refused' | 'unreachable';

/** The dependencies and limits of a store. */
export interface ImageStoreOptions {
  readonly registry: RemoteRegistry;
  /** How long tags and lists of signatures are kept, in milliseconds. */
  readonly tagMilliseconds: number;
  /** Returns the time in milliseconds; it never goes back. */
  readonly now: () => number;
  /** Called after each fetch with its duration in seconds. */
  readonly fetched?: (kind: Question['kind'], result: FetchResult, seconds: number) => void;
  /** Called for each part that a request needs, with whether the cache has it. */
  readonly recalled?: (isHit: boolean) => void;
}

const cacheBytes = 64 * 2 ** 20;
const fixedMilliseconds = 3_600_000;
/** How long the absence of a part is kept; it may be pushed at any time. */
const missingMilliseconds = 5_000;
const slots = { total: 16, perHost: 6 };
/** The largest signature or configuration in bytes. */
const largestBlob = 16 * 2 ** 20;

/**
 * The parts of registries that requests need. Requests that need the same part at the same time share one read. Content
 * is cached; errors are not.
 */
export class ImageStore {
  readonly #options: ImageStoreOptions;
  readonly #cache: BoundedCache<{ readonly content: Content }>;
  readonly #fetching = new Map<string, Promise<Outcome>>();
  readonly #slots = new FetchSlots(slots);

  constructor(options: ImageStoreOptions) {
    this.#options = options;
    this.#cache = new BoundedCache({ bytes: cacheBytes, now: options.now });
  }

  /** The size of the cache in bytes. */
  get bytes(): number {
    return this.#cache.bytes;
  }

  /** Returns a known answer. */
  recall(question: Question): Outcome | undefined {
    const known = this.#cache.get(keyOf(question));
    this.#options.recalled?.(known !== undefined);
    return known;
  }

  /** Reads a part of a registry; equal questions at the same time share the answer. Never rejects. */
  fetch(question: Question): Promise<Outcome> {
    const key = keyOf(question);
    const known = this.#cache.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const shared = this.#fetching.get(key);
    if (shared !== undefined) return shared;
    const fetching = this.#slots
      .run(hostOf(question), () => this.#fetch(question))
      .finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, fetching);
    return fetching;
  }

  async #fetch(question: Question): Promise<Outcome> {
    const { now, fetched } = this.#options;
    const start = now();
    const report = (result: FetchResult): void =>
      fetched?.(question.kind, result, (now() - start) / 1000);
    try {
      const content = await this.#read(question);
      const outcome = { content };
      this.#cache.set(keyOf(question), outcome, lengthOf(content), this.#ageOf(question, content));
      report(content === undefined ? 'missing' : 'found');
      return outcome;
    } catch (error) {
      const outcome = { error: verificationError(error, question) };
      report(outcome.error instanceof VerificationFailure ? 'refused' : 'unreachable');
      return outcome;
    }
  }

  async #read(question: Question): Promise<Content> {
    const { registry } = this.#options;
    switch (question.kind) {
      case 'manifest':
        return registry.manifest(question.image);
      case 'blob':
        requireSize(question.descriptor);
        return registry.blob(question.repository, question.descriptor);
      case 'referrers':
        return registry.referrers(question.repository, question.digest);
    }
  }

  #ageOf(question: Question, content: Content): number {
    const { tagMilliseconds } = this.#options;
    if (content === undefined) return Math.min(missingMilliseconds, tagMilliseconds);
    return isFixed(question) ? fixedMilliseconds : tagMilliseconds;
  }
}

/** @throws RegistryError for content that is too large */
function requireSize({ digest, size }: Descriptor): void {
  if (size <= largestBlob) return;
  throw new RegistryError(`${digest} has ${size} bytes, more than ${largestBlob}`);
}

/**
 * Returns the error of a verification. As in Kyverno, the failure policy applies if the registry cannot be reached. Every
 * answer that cannot be used is a failure of the verification.
 */
function verificationError(error: unknown, question: Question): Error {
  if (error instanceof ResponseError) return new VerificationFailure(error.goText);
  const isKnown = error instanceof DownloadError || error instanceof RegistryError;
  const message = `failed to read the ${keyOf(question)}: ${errorText(error)}`;
  const isAnswered = isKnown && !(error instanceof UnreachableError);
  return isAnswered ? new VerificationFailure(message) : new RegistryError(message);
}
