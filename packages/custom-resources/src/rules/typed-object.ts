import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError, type Value } from '@kubeadmit/cel';
import { CelMap, isMap, mapGet, mapSize, noOverload } from '@kubeadmit/cel/values';
import { deepEqual } from '@kubeadmit/go';
import { escapeProperty, unescapeProperty } from '@kubeadmit/schemas/cel';
import { equalInside } from './typed-equality.ts';

/** One entry of a typed object: its name in JSON, the name that CEL sees, and its value. */
export interface TypedEntry {
  readonly name: string;
  /** Undefined where the name cannot be written in CEL. */
  readonly visible: string | undefined;
  /** Undefined for a null that counts as absent. */
  readonly value: Value | undefined;
}

/**
 * An object or map of a custom resource as rules see it (apiserver, `common.unstructuredMap`): fields under their escaped
 * names, unknown ones hidden.
 */
export class TypedObject extends CelMap {
  /** The object in the data. */
  readonly raw: JsonObject;
  readonly #known: Map<string, Value | undefined> = new Map();
  readonly #isStruct: boolean;
  #entries: readonly (readonly [key: Value, value: Value])[] | undefined;

  /** @param isStruct whether it has properties, whose names are escaped, and is not a map */
  constructor(raw: JsonObject, entries: readonly TypedEntry[], isStruct: boolean) {
    super();
    this.raw = raw;
    this.#isStruct = isStruct;
    for (const { name, visible, value } of entries) {
      this.#known.set(name, value);
      if (value !== undefined && visible !== undefined) this.set(visible, value);
    }
  }

  /** As Go lists them: a field without a value is there, and in the place of each unknown one is null. */
  override get keys(): readonly Value[] {
    return this.#listed().map(([key]) => key);
  }

  override get values(): readonly Value[] {
    return this.#listed().map(([, value]) => value);
  }

  #listed(): readonly (readonly [key: Value, value: Value])[] {
    if (this.#entries) return this.#entries;
    const known = [...this.#known].map(([name, value]) => {
      const key = this.#isStruct ? (escapeProperty(name) ?? name) : name;
      return [key, value ?? new CelError(`no such key: ${key}`)] as const;
    });
    const count = this.size - known.length;
    const unknown = Array.from({ length: count }, () => [null, noOverload()] as const);
    this.#entries = [...known, ...unknown];
    return this.#entries;
  }

  override get size(): number {
    return Object.keys(this.raw).length;
  }

  /** Names in the data are found, too. Keys that are not strings are an error in Go, not just absent. */
  override get(key: Value): Value | undefined {
    if (typeof key !== 'string') return noOverload();
    return super.get(key) ?? this.#find(key);
  }

  override equals(other: Value): boolean | CelError {
    if (!isMap(other)) return noOverload();
    if (this.size !== mapSize(other)) return false;
    for (const key of Object.keys(this.raw)) {
      // The name is taken for one that CEL uses: a property that looks like an escape (`a__dot__b`) does not count.
      const result = this.#known.has(key)
        ? equalEntries(this.#find(key), mapGet(other, key))
        : other instanceof TypedObject
          ? !Object.hasOwn(other.raw, key) || deepEqual(this.raw[key], other.raw[key])
          : noOverload();
      if (result !== true) return result;
    }
    return true;
  }

  /** The value under a name that CEL uses. */
  #find(name: string): Value | undefined {
    const known = this.#isStruct ? unescapeProperty(name) : name;
    return known === undefined ? undefined : this.#known.get(known);
  }
}

function equalEntries(left: Value | undefined, right: Value | undefined): boolean | CelError {
  if (left === undefined || right === undefined) return left === right;
  return equalInside(left, right);
}
