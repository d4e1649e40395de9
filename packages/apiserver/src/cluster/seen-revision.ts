/** The newest revision of the store whose changes have been seen, and who waits for one. */
export class SeenRevision {
  readonly #waiting: { revision: number; resolve: () => void }[] = [];
  #seen = 0;
  #isOver = false;

  /** Resolves when every change up to a revision has been seen, and at the end. */
  async reached(revision: number): Promise<void> {
    if (this.#seen >= revision || this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ revision, resolve });
    });
  }

  /** Takes note that every change up to a revision has been seen. */
  advance(revision: number): void {
    this.#seen = Math.max(this.#seen, revision);
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const waiter = this.#waiting[at];
      if (waiter === undefined || waiter.revision > this.#seen) continue;
      this.#waiting.splice(at, 1);
      waiter.resolve();
    }
  }

  /** Releases all waiting requests, because no more events arrive. */
  end(): void {
    this.#isOver = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }
}
