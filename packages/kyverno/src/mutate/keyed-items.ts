import { getOrMake } from '@kubeadmit/base';
import { hasTexts, type ItemTexts, isEmptyItem, matches, textAt } from './item-texts.ts';
import { isNull, type ListNode, type Node } from './node.ts';

/**
 * The items of a list by the texts at their merge keys (kustomize's `ElementSetter`, which searches for each item and
 * takes quadratic time).
 */
export class KeyedItems {
  readonly #list: ListNode;
  /** Removed items are undefined. */
  readonly #items: (Node | undefined)[];
  readonly #empty: Set<number> = new Set();
  /** The places of the items by their texts, for each choice of keys. */
  readonly #indexes: Map<string, PlaceIndex> = new Map();

  constructor(list: ListNode) {
    this.#list = list;
    this.#items = [...list.items];
    for (const [place, item] of list.items.entries()) {
      if (isEmptyItem(item)) this.#empty.add(place);
    }
  }

  /** Returns the first item that has given texts. */
  find(texts: ItemTexts): Node | undefined {
    if (texts.keys.length !== texts.values.length) return undefined;
    let first = this.#items.length;
    for (const place of this.#candidates(texts)) {
      const item = this.#items[place];
      if (place < first && item !== undefined && hasTexts(item, texts)) first = place;
    }
    return this.#items[first];
  }

  /**
   * Replaces the items that match given texts, or appends one where there are none; without an item, those that match
   * are removed. Without texts, all items are removed first.
   *
   * Nulls and empty maps never stay.
   */
  set(item: Node | undefined, texts: ItemTexts): void {
    for (const place of this.#empty) this.#put(place, undefined);
    this.#empty.clear();
    const isNamed = texts.values.length > 0;
    const places = isNamed ? this.#matching(texts) : [...this.#items.keys()];
    for (const place of places) this.#put(place, isNamed ? item : undefined);
    const isFound = isNamed && places.length > 0;
    if (item !== undefined && !isNull(item) && !isFound) this.push(item);
  }

  /** Appends an item. */
  push(item: Node): void {
    this.#put(this.#items.length, item);
  }

  /** Notes that merging has left nothing of an item. */
  noteEmpty(item: Node): void {
    const place = this.#items.indexOf(item);
    if (place >= 0) this.#empty.add(place);
  }

  /** Writes the items back to the list. */
  finish(): void {
    this.#list.items = this.#items.filter((item) => item !== undefined);
  }

  #put(place: number, item: Node | undefined): void {
    const before = this.#items[place];
    this.#items[place] = item;
    for (const index of this.#indexes.values()) {
      if (before !== undefined) index.remove(before, place);
      if (item !== undefined) index.add(item, place);
    }
    if (item !== undefined && isEmptyItem(item)) this.#empty.add(place);
  }

  #matching(texts: ItemTexts): readonly number[] {
    return [...this.#candidates(texts)].filter((place) => {
      const item = this.#items[place];
      return item !== undefined && matches(item, texts);
    });
  }

  /** Returns the places of all items with the texts that are not empty, and maybe others. */
  #candidates({ keys, values }: ItemTexts): ReadonlySet<number> {
    const compared = keys.filter((_key, at) => (values[at] ?? '') !== '');
    const index = getOrMake(this.#indexes, `${compared.length}${compared.join()}`, () => {
      const made = new PlaceIndex(compared);
      for (const [place, item] of this.#items.entries()) {
        if (item !== undefined) made.add(item, place);
      }
      return made;
    });
    return index.places(values.filter((value) => value !== ''));
  }
}

const noPlaces: ReadonlySet<number> = new Set();

/** Places of items by the texts at some keys; several texts may share an entry. */
class PlaceIndex {
  readonly #keys: readonly string[];
  readonly #places: Map<string, Set<number>> = new Map();

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  places(texts: readonly string[]): ReadonlySet<number> {
    return this.#places.get(texts.join()) ?? noPlaces;
  }

  add(item: Node, place: number): void {
    getOrMake(this.#places, this.#textOf(item), () => new Set<number>()).add(place);
  }

  remove(item: Node, place: number): void {
    this.#places.get(this.#textOf(item))?.delete(place);
  }

  #textOf(item: Node): string {
    return this.#keys.map((key) => textAt(item, key)).join();
  }
}
