// A set of policies that is loaded at this moment may contain a deleted namespace. Later sets do not.
const mostDeleted = 1_000;

/** The last change of each namespace, by its name; of deleted namespaces, only the latest 1,000. */
export class LastChanges<Change> {
  readonly #changes: Map<string, Change> = new Map();
  /** The names of deleted namespaces, oldest first. */
  readonly #deleted: Set<string> = new Set();

  /** Returns the last change of a namespace. */
  get(name: string): Change | undefined {
    return this.#changes.get(name);
  }

  /** Records the last change of a namespace. */
  set(name: string, change: Change, isDeleted: boolean): void {
    this.#changes.set(name, change);
    this.#deleted.delete(name);
    if (!isDeleted) return;
    this.#deleted.add(name);
    if (this.#deleted.size <= mostDeleted) return;
    const [oldest = ''] = this.#deleted;
    this.#deleted.delete(oldest);
    this.#changes.delete(oldest);
  }

  /** Every change with the name of its namespace. */
  entries(): Iterable<[string, Change]> {
    return this.#changes.entries();
  }
}
