import type { Shape } from '../types/shape.ts';
import type { Field, TypeStore } from '../types/type-store.ts';

/**
 * Where built-in objects may still not be valid for merging once they are decoded, which gives every
 * value the form of its field: elements of keyed lists that lack all keys, and fields of any form.
 */
export class Doubts {
  readonly #types: TypeStore;
  readonly #known = new Map<string, readonly string[]>();

  constructor(types: TypeStore) {
    this.#types = types;
  }

  /** The fields of a struct that are, or lead to, such places. */
  of(struct: string): readonly string[] {
    const known = this.#known.get(struct);
    if (known) return known;
    const fields = this.#types.get(struct)?.fields ?? [];
    const doubtful = fields.filter((field) => this.#isDoubtful(field, new Set([struct])));
    const names = doubtful.map(({ name }) => name);
    this.#known.set(struct, names);
    return names;
  }

  #isDoubtful(field: Field, open: Set<string>): boolean {
    const { shape, list, keys = [] } = field;
    const element = shape.element?.struct;
    if (list === 'map' && (element === undefined || !this.#hasKey(element, keys))) return true;
    return this.#leadsToDoubt(shape, open);
  }

  // Whether elements always have one of the keys.
  #hasKey(struct: string, keys: readonly string[]): boolean {
    return keys.some((key) => {
      const field = this.#types.get(struct)?.byName.get(key);
      if (!field) return false;
      const isWritten = !field.omitEmpty && !field.omitZero && !field.shape.pointer;
      return isWritten || (field.key !== undefined && field.key !== null);
    });
  }

  #leadsToDoubt(shape: Shape, open: Set<string>): boolean {
    if (shape.kind === 'any') return shape.free === 'fields';
    if (shape.kind === 'list' || shape.kind === 'map') {
      return this.#leadsToDoubt(shape.element as Shape, open);
    }
    const struct = shape.kind === 'struct' ? shape.struct : undefined;
    if (struct === undefined || open.has(struct)) return false;
    open.add(struct);
    const fields = this.#types.get(struct)?.fields ?? [];
    const doubtful = fields.some((field) => this.#isDoubtful(field, open));
    open.delete(struct);
    return doubtful;
  }
}
