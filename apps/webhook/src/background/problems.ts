/** Why a part of the background work is not done. */
export interface BackgroundProblem {
  /** The key of the policy, as in `ClusterPolicy/name`. */
  readonly policy: string;
  readonly message: string;
  /** The work that is not done; absent for problems of all work. */
  readonly task?: 'generate' | 'mutate' | 'cleanup';
}

/** The problems of the background work; each one is reported once while it lasts. */
export class Problems {
  readonly #known: Map<string, BackgroundProblem> = new Map();
  readonly #found: (problem: BackgroundProblem) => void;

  /** @param found called with each new problem */
  constructor(found: (problem: BackgroundProblem) => void) {
    this.#found = found;
  }

  get count(): number {
    return this.#known.size;
  }

  /** The first problem and the number of others as text; empty without problems. */
  get text(): string {
    const [first] = this.#known.values();
    if (first === undefined) return '';
    const more = this.count === 1 ? '' : ` (and ${this.count - 1} more)`;
    return `${first.policy}: ${first.message}${more}`;
  }

  /** Sets or removes the problem of a piece of work. */
  set(work: string, problem: BackgroundProblem | undefined): void {
    if (problem === undefined) {
      this.#known.delete(work);
      return;
    }
    const before = this.#known.get(work)?.message;
    this.#known.set(work, problem);
    if (before !== problem.message) this.#found(problem);
  }
}
