import type { DecidedReview } from '../server/review-endpoint.ts';
import type { Log } from './log.ts';

// Names of namespaces come from requests, and are kept to be told of once.
const mostTexts = 1_000;

/** Tells once of each selector that was asked about each namespace that is not known. */
export class NamespaceLog {
  readonly #log: Log;
  readonly #told: Set<string> = new Set();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Tells of what a decision had to assume. */
  write({ decision, generation }: DecidedReview): void {
    if (this.#told.size >= mostTexts) return;
    for (const problem of decision.assumed()) {
      if (this.#told.has(problem)) continue;
      this.#told.add(problem);
      this.#log.warn(
        { problem, generation: generation.number },
        'a namespace is not known: put it beside the policies, or follow a cluster',
      );
    }
  }
}
