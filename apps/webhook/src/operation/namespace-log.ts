import type { Log } from '../logging/log.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';

// The limit of remembered problems, which contain namespace names from requests.
const mostTexts = 1_000;

/** Logs each selector once for each unknown namespace. */
export class NamespaceLog {
  readonly #log: Log;
  readonly #told: Set<string> = new Set();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Logs the assumptions of a decision. */
  write({ decision, generation }: DecidedReview): void {
    if (this.#told.size >= mostTexts) return;
    for (const problem of decision.assumed()) {
      if (this.#told.has(problem)) continue;
      this.#told.add(problem);
      this.#log.warn(
        { problem, generation: generation.number },
        'unknown namespace; add it to the policy files, or follow a cluster',
      );
    }
  }
}
