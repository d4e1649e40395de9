// How long an answer waits for others of its turn at most, but for a single evaluation.
const waitMilliseconds = 1;

/** An answer that is ready. */
export interface ReadyAnswer {
  write(): void;
  /** Reports the answer, after it and all others of its batch were written. Never throws. */
  tell(): void;
}

/**
 * Answers that are written one right after the other at the end of a turn of the event loop.
 *
 * A write to whoever sleeps wakes it, which takes the system longer than all else about a write: who asks on several
 * connections is so woken once.
 */
export class AnswerBatch {
  #waiting: ReadyAnswer[] = [];
  #since = 0;

  /** Writes an answer at the end of this turn; `now` is the time of `performance.now()`. */
  add(answer: ReadyAnswer, now: number): void {
    if (this.#waiting.push(answer) > 1) return;
    this.#since = now;
    setImmediate(() => this.#write());
  }

  /** Does not let answers wait for what begins at `now`, if they have waited already. */
  hurry(now: number): void {
    if (this.#waiting.length > 0 && now - this.#since > waitMilliseconds) this.#write();
  }

  #write(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer.write();
    for (const answer of waiting) answer.tell();
  }
}
