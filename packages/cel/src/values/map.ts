import { setKey } from '@kubeadmit/base';
import { mapType, type Type } from './types.ts';
import {
  type CelError,
  Double,
  Duration,
  OpaqueValue,
  SpecialValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/**
 * A map that an expression built: keys of any type, in the order of insertion.
 *
 * Keys of different numeric types are different keys (`{1: …, 1u: …}` has two entries), but a look-up
 * finds a key of another numeric type with the same value where there is no exact one, as cel-go's
 * maps do. A list, a map or an optional as a key equals no other, since to Go it is a pointer.
 */
export class CelMap extends SpecialValue {
  readonly #index: Map<unknown, number> = new Map();
  #uints: Map<bigint, number> | undefined;
  #doubles: Map<number, number> | undefined;
  #compounds: Map<string, number> | undefined;
  readonly #keyList: Value[] = [];
  readonly #valueList: Value[] = [];

  /** The type `map`. */
  get type(): Type {
    return mapType;
  }

  /** The Go type that error texts name. */
  get goType(): string {
    return '*types.baseMap';
  }

  /** Returns the result of `this == other` for maps with a custom comparison. */
  equals?(other: Value): boolean | CelError;

  /** The number of entries. */
  get size(): number {
    return this.#keyList.length;
  }

  /** The entries as an object of JSON, keys as strings. */
  toJSON(): object {
    const object: Record<string, Value> = {};
    for (const [at, key] of this.#keyList.entries()) {
      setKey(object, String(key), this.#valueList[at] as Value);
    }
    return object;
  }

  /** The keys in the order of insertion; not to be changed. */
  get keys(): readonly Value[] {
    return this.#keyList;
  }

  /** The values in the order of their keys; not to be changed. */
  get values(): readonly Value[] {
    return this.#valueList;
  }

  /**
   * Adds an entry, or replaces the value of an equal key of the same type.
   * Throws {@link UnhashableKey}.
   */
  set(key: Value, value: Value): void {
    const at = this.#exact(key);
    if (at !== undefined) {
      this.#valueList[at] = value;
      return;
    }
    const position = this.#keyList.length;
    this.#keyList.push(key);
    this.#valueList.push(value);
    if (key instanceof Uint) {
      this.#uints ??= new Map();
      this.#uints.set(key.value, position);
    } else if (key instanceof Double) {
      this.#doubles ??= new Map();
      this.#doubles.set(key.value, position);
    } else {
      const compound = compoundKey(key);
      if (compound === undefined) {
        this.#index.set(key, position);
      } else {
        this.#compounds ??= new Map();
        this.#compounds.set(compound, position);
      }
    }
  }

  /**
   * The value of a key, also of another numeric type with the same value; else `undefined`.
   * Throws {@link UnhashableKey}.
   */
  get(key: Value): Value | undefined {
    // An empty map is not looked into at all.
    const at = this.size === 0 ? undefined : this.#find(key);
    return at === undefined ? undefined : this.#valueList[at];
  }

  /** The map without the entry of an equal key of the same type. Throws {@link UnhashableKey}. */
  without(key: Value): CelMap {
    const removed = this.#exact(key);
    if (removed === undefined) return this;
    const rest = new CelMap();
    for (const [at, kept] of this.#keyList.entries()) {
      if (at !== removed) rest.set(kept, this.#valueList[at] ?? null);
    }
    return rest;
  }

  #exact(key: Value): number | undefined {
    if (key instanceof Uint) return this.#uints?.get(key.value);
    if (key instanceof Double) return this.#doubles?.get(key.value);
    if (Number.isNaN(key)) return undefined;
    requireHashable(key);
    const compound = compoundKey(key);
    return compound === undefined ? this.#index.get(key) : this.#compounds?.get(compound);
  }

  #find(key: Value): number | undefined {
    const at = this.#exact(key);
    if (at !== undefined || typeof key === 'string') return at;
    const integer = integralValue(key);
    if (integer === undefined) return undefined;
    const small = Number(integer);
    // A double beyond 2^53 equals only itself; an int there is a bigint.
    return (
      this.#index.get(Number.isSafeInteger(small) ? small : integer) ?? this.#uints?.get(integer)
    );
  }
}

/** Thrown where Go panics, and cel-go ends the whole evaluation: this value can be no key. */
export class UnhashableKey extends Error {
  constructor(goType: string) {
    super(`internal error: runtime error: hash of unhashable type ${goType}`);
  }
}

/** Throws {@link UnhashableKey} for a value that cannot be the key of a map. */
export function requireHashable(value: Value): void {
  if (value instanceof Uint8Array) throw new UnhashableKey('types.Bytes');
  if (value instanceof OpaqueValue && !value.isHashable) throw new UnhashableKey(value.goType);
}

/**
 * The text that stands for a key which is an object to us and a plain value to Go, where two equal
 * ones are the same key.
 */
function compoundKey(key: Value): string | undefined {
  if (!(key instanceof SpecialValue)) return undefined;
  if (key instanceof Duration) return `duration ${key.nanoseconds}`;
  if (key instanceof Timestamp) return `timestamp ${key.seconds} ${key.nanoseconds} ${key.offset}`;
  if (key instanceof TypeValue) return `type ${key.named.name}`;
  return key instanceof OpaqueValue && key.type.kind === 'opaque'
    ? `${key.type.name} ${key.text()}`
    : undefined;
}

/** The exact integral value of a number of any type; `undefined` for everything else. */
function integralValue(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (value instanceof Uint) return value.value;
  return value instanceof Double ? BigInt(value.value) : undefined;
}
