import { getOrMake } from '@kubeadmit/base';

/** Which work wants which objects. Several may want the same one. */
export class Claims {
  readonly #works: Map<string, Set<string>> = new Map();
  readonly #objects: Map<string, readonly string[]> = new Map();

  /** The work that wants an object. */
  of(object: string): Iterable<string> {
    return this.#works.get(object) ?? [];
  }

  /** Sets the objects that a piece of work wants. */
  set(work: string, objects: readonly string[]): void {
    for (const object of this.#objects.get(work) ?? []) {
      const works = this.#works.get(object);
      works?.delete(work);
      if (works?.size === 0) this.#works.delete(object);
    }
    if (objects.length === 0) this.#objects.delete(work);
    else this.#objects.set(work, objects);
    for (const object of objects) getOrMake(this.#works, object, () => new Set()).add(work);
  }
}
