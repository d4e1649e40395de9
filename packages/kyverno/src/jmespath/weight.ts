import { Items } from './steps/items.ts';

/** Characters of a string that count as much as an element. */
const charactersPerElement = 16;

/**
 * The deepest level of data that is weighed. Expressions do not nest their own results, since each list is weighed when
 * it is created.
 */
const deepest = 500;

/**
 * Counts the elements that a value has when it is written as JSON.
 *
 * `[@, @] | [@, @] | …` makes few lists, each of which holds the one before it twice: their JSON doubles with every
 * step.
 */
export class Scales {
  readonly #known = new WeakMap<object, number>();

  weightOf(value: unknown, depth = 0): number {
    if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerElement);
    if (typeof value !== 'object' || value === null || depth > deepest) return 1;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const parts = value instanceof Items ? value.list : Object.values(value);
    let weight = 1;
    for (const part of parts) weight += this.weightOf(part, depth + 1);
    this.#known.set(value, weight);
    return weight;
  }
}
