import { getOrMake } from '@kubeadmit/base';
import { Double } from '@kubeadmit/cel';
import { stringifyJson } from '@kubeadmit/go';

// Lists are indexed by the texts of keys: a patch of many elements for a list with many would keep the process busy for
// minutes if each were searched for.

/** The text of a key or element: the same for equal values only. */
export function keyText(value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  return value instanceof Double ? `float ${value.value}` : stringifyJson(value);
}

/** A list whose elements are found by their keys. */
export class KeyedList {
  /** Deleted elements are `undefined`. */
  readonly #items: unknown[];
  readonly #places: Map<string, number[]> = new Map();

  constructor(items: readonly unknown[], keyOf: (item: unknown) => string) {
    this.#items = [...items];
    for (const [place, item] of items.entries()) this.#add(keyOf(item), place);
  }

  /** The elements that were not deleted, in their order. */
  get items(): readonly unknown[] {
    return this.#items.filter((item) => item !== undefined);
  }

  /** Deletes all elements with a key. */
  delete(key: string): void {
    for (const place of this.#places.get(key) ?? []) this.#items[place] = undefined;
    this.#places.delete(key);
  }

  /** Replaces the first element with a key, or adds one at the end. */
  merge(key: string, change: (item: unknown) => unknown): void {
    const place = this.#places.get(key)?.[0];
    if (place !== undefined) this.#items[place] = change(this.#items[place]);
    else this.#add(key, this.#items.push(change(undefined)) - 1);
  }

  #add(key: string, place: number): void {
    getOrMake(this.#places, key, () => []).push(place);
  }
}

interface Ordering {
  /** The wanted order of keys. */
  readonly order: readonly string[];
  /** The order of keys before the patch. */
  readonly before: readonly string[];
  readonly keyOf: (item: unknown) => string;
}

/** Returns listed items in the listed order; others keep their position relative to their neighbors (`normalizeElementOrder`). */
export function orderedItems(
  list: readonly unknown[],
  { order, before, keyOf }: Ordering,
): unknown[] {
  const wanted = firstPlaces(order);
  const former = firstPlaces(before);
  const placed = list.map((item) => {
    const key = keyOf(item);
    return { item, wanted: wanted.get(key), former: former.get(key) ?? -1 };
  });
  const listed = placed
    .filter((each) => each.wanted !== undefined)
    .sort((a, b) => Number(a.wanted) - Number(b.wanted));
  const others = placed.filter((each) => each.wanted === undefined);
  const result: unknown[] = [];
  let next = 0;
  for (const { item, former: place } of listed) {
    for (; next < others.length; next++) {
      const other = others[next];
      const isFirst =
        other !== undefined && place >= 0 && other.former >= 0 && other.former < place;
      if (!isFirst) break;
      result.push(other.item);
    }
    result.push(item);
  }
  for (; next < others.length; next++) result.push(others[next]?.item);
  return result;
}

function firstPlaces(keys: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, key] of keys.entries()) if (!places.has(key)) places.set(key, place);
  return places;
}
