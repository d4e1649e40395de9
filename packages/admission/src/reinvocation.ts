/**
 * Which mutating policies run once more (apiserver policy/mutating/reinvocationcontext.go).
 *
 * One instance lives for a request: the policies that ask for it run again, once, when anything was
 * mutated.
 */
export class Reinvocation {
  /** Whether another pass was requested. */
  requested: boolean = false;
  #previous: string[] = [];
  #due: Set<string> | undefined;

  /** Requests another pass after a change: the policies that ran before it are due again. */
  request(): void {
    if (this.#previous.length > 0) {
      this.#due ??= new Set();
      for (const key of this.#previous) this.#due.add(key);
      this.#previous = [];
    }
    this.requested = true;
  }

  /** Notes that a policy which asks for it has run. */
  note(key: string): void {
    this.#previous.push(key);
  }

  isDue(key: string): boolean {
    return this.#due?.has(key) ?? false;
  }
}
