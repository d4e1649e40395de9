import { groupBy } from '@kubeadmit/base';
import { type Entry, type MapNode, type Node, replaceValue, stays } from './node.ts';

/** The members of a map by their keys, so that merging two maps does not search for each member. */
export class KeyedMembers {
  readonly #map: MapNode;
  readonly #entries: Map<string, Entry[]>;
  readonly #removed: Set<Entry> = new Set();

  constructor(map: MapNode) {
    this.#map = map;
    this.#entries = groupBy(map.entries, ({ key }) => key);
  }

  /** Returns the first member with a key. */
  get(key: string): Node | undefined {
    return this.#entries.get(key)?.[0]?.value;
  }

  /** Sets a member, or takes it out if the value does not stay. */
  set(key: string, value: Node | undefined): void {
    const entries = this.#entries.get(key) ?? [];
    const [first] = entries;
    if (!stays(value)) {
      for (const entry of entries) this.#removed.add(entry);
      this.#entries.delete(key);
    } else if (first === undefined) {
      const entry = { key, value };
      this.#map.entries.push(entry);
      this.#entries.set(key, [entry]);
    } else {
      replaceValue(first, value);
    }
  }

  /** Takes the removed members out of the map. */
  finish(): void {
    if (this.#removed.size === 0) return;
    this.#map.entries = this.#map.entries.filter((entry) => !this.#removed.has(entry));
  }
}
