import { webhookDenial } from '../review/denial.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';
import type { Log } from './log.ts';

/**
 * Writes a line for each denial, and for a share of what is allowed. Lines name the object and who asked,
 * and hold nothing of what is in it.
 */
export class DecisionLog {
  readonly #log: Log;
  readonly #loggedAllows: number;
  readonly #random: () => number;

  constructor(log: Log, loggedAllows: number, random: () => number = Math.random) {
    this.#log = log;
    this.#loggedAllows = loggedAllows;
    this.#random = random;
  }

  /** Tells of a decision, if it is one to tell of. */
  write({ step, review, decision, generation, seconds }: DecidedReview): void {
    const { denial, warnings, operations } = decision;
    if (denial === undefined && (decision.isExempt || this.#random() >= this.#loggedAllows)) return;
    const { uid, kind, namespace, name, operation, subResource, userInfo, dryRun } = review.request;
    const line = {
      step,
      allowed: denial === undefined,
      uid,
      operation,
      kind: kind?.kind,
      group: kind?.group || undefined,
      subresource: subResource || undefined,
      namespace: namespace || undefined,
      name: name || undefined,
      user: userInfo?.username,
      dryRun: dryRun === true ? true : undefined,
      code: denial?.code,
      reason: denial?.reason,
      denial: denial && webhookDenial(denial).message,
      warnings: warnings.length || undefined,
      changes: operations.length || undefined,
      generation: generation.number,
      milliseconds: Math.round(seconds * 1e5) / 100,
    };
    this.#log.info(line, denial === undefined ? 'allowed' : 'denied');
  }
}
