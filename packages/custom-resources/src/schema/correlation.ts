import { isObject, type JsonObject, member, memberText } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { kindOf, numberOf } from '../values/json-value.ts';
import { innerOf, listMapKeysOf, listTypeOf, type Schema, schemaOfKey } from './schema.ts';

/**
 * A value and its previous value before an update (apiserver, `common.CorrelatedObject`): errors of unchanged values
 * are tolerated.
 */
export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: Schema;
  readonly #children: Map<string | number, Correlation> = new Map();
  #same: boolean | undefined;
  #items: ItemsByKey | undefined;

  constructor(schema: Schema, value: unknown, old: unknown) {
    this.schema = schema;
    this.value = value;
    this.old = old;
  }

  /** Whether the value is unchanged; items of lists of type `map` may be in any order. */
  get isSame(): boolean {
    this.#same ??= this.#compare();
    return this.#same;
  }

  /** The old entry of a key, or undefined if it did not exist or is ambiguous. */
  key(name: string): Correlation | undefined {
    const known = this.#children.get(name);
    if (known) return known;
    const { value, old } = this;
    if (!isObject(value) || !isObject(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const schema = schemaOfKey(this.schema, name);
    return schema && this.#child(name, schema, value[name], old[name]);
  }

  /** The old item with the keys of the item at an index, or undefined if it did not exist or is ambiguous. */
  index(at: number): Correlation | undefined {
    const known = this.#children.get(at);
    if (known) return known;
    const { value, old } = this;
    if (!Array.isArray(value) || at >= value.length || !Array.isArray(old)) return undefined;
    if (listTypeOf(this.schema) !== 'map') return undefined;
    this.#items ??= new ItemsByKey(this.schema, old);
    const before = this.#items.find(value[at]);
    const schema = innerOf(this.schema, 'items');
    if (before === undefined || schema === undefined) return undefined;
    return this.#child(at, schema, value[at], before);
  }

  #child(key: string | number, schema: Schema, value: unknown, old: unknown): Correlation {
    const child = new Correlation(schema, value, old);
    this.#children.set(key, child);
    return child;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) return this.#compareLists(value, old);
    if (isObject(value) && isObject(old)) {
      const keys = Object.keys(value);
      return (
        keys.length === Object.keys(old).length &&
        keys.every((key) => this.key(key)?.isSame === true)
      );
    }
    return deepEqual(old, value);
  }

  #compareLists(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false;
    for (let at = 0; at < value.length; at++) {
      const child = this.index(at);
      if (child === undefined) return this.#items === undefined && deepEqual(old, value);
      if (!child.isSame) return false;
    }
    return true;
  }
}

/** The items of a list of type `map` by their keys (apiserver, `common.MakeMapList`). */
export class ItemsByKey {
  readonly #keys: readonly string[];
  readonly #items: Map<string, JsonObject> = new Map();

  constructor(schema: Schema, items: readonly unknown[]) {
    const isMap = memberText(schema, 'type') === 'array' && listTypeOf(schema) === 'map';
    this.#keys = isMap ? listMapKeysOf(schema) : [];
    for (const item of this.#keys.length === 0 ? [] : items) {
      const key = isObject(item) ? this.#keyOf(item) : undefined;
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item as JsonObject);
    }
  }

  /** The item with the keys of another. */
  find(item: unknown): JsonObject | undefined {
    const key = isObject(item) ? this.#keyOf(item) : undefined;
    return key === undefined ? undefined : this.#items.get(key);
  }

  #keyOf(item: JsonObject): string | undefined {
    const parts: string[] = [];
    for (const name of this.#keys) {
      const value = member(item, name);
      const kind = kindOf(value);
      if (!['boolean', 'integer', 'number', 'string'].includes(kind)) return undefined;
      parts.push(
        JSON.stringify([kind, kind === 'integer' ? String(value) : (numberOf(value) ?? value)]),
      );
    }
    return this.#keys.length === 0 ? undefined : parts.join();
  }
}
