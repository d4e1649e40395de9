import { CelError, CelMap, equal, isMap, mapGet, mapSize, type Value } from '@kubeadmit/cel';
import { isSame, type JsonObject } from '../values/json-value.ts';

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
  /** The object as it stands in the data. */
  readonly raw: JsonObject;
  readonly #known: Map<string, Value | undefined> = new Map();

  constructor(raw: JsonObject, entries: readonly TypedEntry[]) {
    super();
    this.raw = raw;
    for (const { name, visible, value } of entries) {
      this.#known.set(name, value);
      if (value !== undefined && visible !== undefined) this.set(visible, value);
    }
  }

  override get size(): number {
    return Object.keys(this.raw).length;
  }

  override equals(other: Value): boolean | CelError {
    if (!isMap(other)) return new CelError('no such overload');
    if (this.size !== mapSize(other)) return false;
    for (const key of Object.keys(this.raw)) {
      const result = this.#known.has(key)
        ? equalEntries(this.#known.get(key), entryOf(other, key))
        : other instanceof TypedObject
          ? !Object.hasOwn(other.raw, key) || isSame(this.raw[key], other.raw[key])
          : new CelError('no such overload');
      if (result !== true) return result;
    }
    return true;
  }

  /** The value of a name in JSON. */
  entry(name: string): Value | undefined {
    return this.#known.get(name);
  }
}

function entryOf(
  map: Exclude<Parameters<typeof mapGet>[0], undefined>,
  key: string,
): Value | undefined {
  return map instanceof TypedObject ? map.entry(key) : mapGet(map, key);
}

function equalEntries(left: Value | undefined, right: Value | undefined): boolean | CelError {
  if (left === undefined || right === undefined) return left === right;
  if (left instanceof CelError) return left;
  if (right instanceof CelError) return right;
  return equal(left, right);
}
