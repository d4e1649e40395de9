import type { Log } from '../logging/log.ts';
import type { ReviewDecision } from '../review/decide-review.ts';
import { webhookDenial } from '../review/denial.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';

/** The options of a decision log. */
export interface DecisionLogOptions {
  /** The share of allowed requests that get a line, from 0 to 1. */
  readonly loggedAllows: number;
  /** Whether lines have the messages of denials, which policies may make of anything in an object. */
  readonly denialMessages: boolean;
  /** Gives numbers from 0 to 1; default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Writes a line for each denial, and for a share of the allowed requests. Lines name the object, the user and the policies
 * that denied it. They contain nothing of the object unless `denialMessages` asks for the messages.
 */
export class DecisionLog {
  readonly #log: Log;
  readonly #loggedAllows: number;
  readonly #denialMessages: boolean;
  readonly #random: () => number;

  constructor(
    log: Log,
    { loggedAllows, denialMessages, random = Math.random }: DecisionLogOptions,
  ) {
    this.#log = log;
    this.#loggedAllows = loggedAllows;
    this.#denialMessages = denialMessages;
    this.#random = random;
  }

  /** Writes the line of a decision, unless it is an allowed request outside of the share. */
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
      policies: denial && namesOfDenying(decision),
      denial: denial && this.#denialMessages ? webhookDenial(denial).message : undefined,
      warnings: warnings.length || undefined,
      changes: operations.length || undefined,
      generation: generation.number,
      milliseconds: Math.round(seconds * 1e5) / 100,
    };
    this.#log.info(line, denial === undefined ? 'allowed' : 'denied');
  }
}

function namesOfDenying({ findings }: ReviewDecision): readonly string[] {
  const denying = findings().filter(({ verdict }) => verdict === 'deny' || verdict === 'error');
  return [...new Set(denying.map(({ policy }) => policy))];
}
