import type { KubernetesObject } from '@kubeadmit/apimachinery';

/**
 * A cache of encoded objects, for objects that are listed and watched repeatedly. Entries disappear with their
 * objects, or all at once when they become too large.
 *
 * INVARIANT: cached objects are never modified.
 */
export class MemoizedForms<Form> {
  readonly #most: number;
  readonly #lengthOf: (form: Form) => number;
  #forms: WeakMap<KubernetesObject, Form> = new WeakMap();
  #length = 0;

  /**
   * @param most the length of all forms together
   * @param lengthOf the length of a form
   */
  constructor(most: number, lengthOf: (form: Form) => number) {
    this.#most = most;
    this.#lengthOf = lengthOf;
  }

  /** The form of an object, where it is known. */
  get(object: KubernetesObject): Form | undefined {
    return this.#forms.get(object);
  }

  /** Keeps the form of an object. */
  set(object: KubernetesObject, form: Form): void {
    const length = this.#lengthOf(form);
    this.#length += length;
    if (this.#length > this.#most) {
      this.#forms = new WeakMap();
      this.#length = length;
    }
    this.#forms.set(object, form);
  }
}
