import {
  CelError,
  CelMap,
  isMap,
  mapGet,
  mapSize,
  type PlainObject,
  type Value,
} from '@kubeadmit/cel';
import { unescapeProperty } from '@kubeadmit/schemas';
import { isSame, type JsonObject } from '../values/json-value.ts';
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
  /** The object as it stands in the data. */
  readonly raw: JsonObject;
  readonly #known: Map<string, Value | undefined> = new Map();
  readonly #isStruct: boolean;

  /** @param isStruct whether it has properties, whose names are escaped, and is no map */
  constructor(raw: JsonObject, entries: readonly TypedEntry[], isStruct: boolean) {
    super();
    this.raw = raw;
    this.#isStruct = isStruct;
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
        ? equalEntries(this.compared(key), findIn(other, key))
        : other instanceof TypedObject
          ? !Object.hasOwn(other.raw, key) || isSame(this.raw[key], other.raw[key])
          : new CelError('no such overload');
      if (result !== true) return result;
    }
    return true;
  }

  /**
   * What equality compares under a name of the data. It is taken for a name in CEL, so that a property whose own name
   * looks like an escape (`a__dot__b`) is not found, and does not count.
   */
  compared(key: string): Value | undefined {
    const name = this.#isStruct ? unescapeProperty(key) : key;
    return name === undefined ? undefined : this.#known.get(name);
  }
}

function findIn(map: PlainObject | CelMap, key: string): Value | undefined {
  return map instanceof TypedObject ? map.compared(key) : mapGet(map, key);
}

function equalEntries(left: Value | undefined, right: Value | undefined): boolean | CelError {
  if (left === undefined || right === undefined) return left === right;
  return equalInside(left, right);
}
