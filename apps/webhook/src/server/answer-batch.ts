// The maximum time that an answer waits for others of its turn, except for a single evaluation.
const waitMilliseconds = 1;

/** An answer that is ready. */
export interface ReadyAnswer {
  write(): void;
  /** Reports the answer, after it and all others of its batch were written. Never throws. */
  tell(): void;
}

/**
 * Writes answers together at the end of a turn of the event loop.
 *
 * A write wakes a sleeping client, which costs more than the rest of the write. A client with several connections
 * is thus woken once.
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

  /** Writes the waiting answers before work that begins at `now`, if they have waited too long. */
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
