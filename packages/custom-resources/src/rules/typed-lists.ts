import { isObject, member } from '@kubeadmit/apimachinery';
import { CelError, Double, Duration, Timestamp, type Value } from '@kubeadmit/cel';
import { Lister } from '@kubeadmit/cel/unstable-internal';
import { isList, isMap, mapGet } from '@kubeadmit/cel/values';
import { kindOf } from '../values/json-value.ts';
import { equalInside } from './typed-equality.ts';
import { TypedObject } from './typed-object.ts';

const noOverload = 'no such overload';
const notScalar = 'listSet operations are only supported on lists of scalar values';

/** Common behavior of the lists of custom resources (apiserver, `common.unstructuredList`). */
abstract class TypedList extends Lister {
  override contains(value: Value): boolean | CelError {
    let failure: CelError | undefined;
    for (const item of this) {
      const result = equalInside(item, value);
      if (result === true) return true;
      if (result !== false) failure ??= result;
    }
    return failure ?? false;
  }
}

/** A list without a list type: a failed comparison of items is the result of `==`. */
export class PlainList extends TypedList {
  static make(items: Iterable<Value>): PlainList {
    const list = new PlainList();
    for (const item of items) list.push(item);
    return list;
  }

  override equals(other: Value): boolean | CelError {
    if (!isList(other)) return new CelError(noOverload);
    if (this.length !== other.length) return false;
    for (const [index, item] of this.entries()) {
      const result = equalInside(item, other[index] as Value);
      if (result !== true) return result;
    }
    return true;
  }

  override add(other: Value): Value {
    return isList(other) ? [...this, ...other] : new CelError(noOverload);
  }
}

/** A list of type `set`: order and repetitions do not matter to `==`, and `+` is the union. */
export class SetList extends TypedList {
  static make(items: Iterable<Value>): SetList {
    const list = new SetList();
    for (const item of items) list.push(item);
    return list;
  }

  override equals(other: Value): boolean | CelError {
    if (!isList(other)) return new CelError(noOverload);
    if (this.length !== other.length) return false;
    const member = keysOf(this);
    if (member instanceof CelError) return member;
    const seen = new Set<SetKey>();
    for (const item of other) {
      if (item instanceof CelError) return false;
      const key = setKey(item);
      if (key === undefined) return new CelError(notScalar);
      if (!member.has(key)) return false;
      seen.add(key);
    }
    return seen.size === member.size;
  }

  override add(other: Value): Value {
    if (!isList(other)) return new CelError(noOverload);
    const known = keysOf(this);
    if (known instanceof CelError) return known;
    const union = SetList.make(this);
    for (const item of other) {
      const key = setKey(item);
      if (key === undefined) return new CelError(notScalar);
      // To Go each error is another one.
      if (!known.has(key) || item instanceof CelError) union.push(item);
      known.add(key);
    }
    return union;
  }
}

function keysOf(list: readonly Value[]): Set<SetKey> | CelError {
  const keys = new Set<SetKey>();
  for (const item of list) {
    const key = setKey(item);
    if (key === undefined) return new CelError(notScalar);
    keys.add(key);
  }
  return keys;
}

type SetKey = string | CelError;

/** Returns the identity of scalars and errors; `undefined` for lists and maps. */
function setKey(item: Value): SetKey | undefined {
  if (item instanceof CelError) return item;
  return isList(item) || isMap(item) ? undefined : scalarKey(item);
}

function scalarKey(item: Value | undefined): string {
  if (item === undefined || item === null) return 'null';
  if (item instanceof Timestamp) return `time ${item.seconds} ${item.nanoseconds} ${item.offset}`;
  if (item instanceof Duration) return `duration ${item.nanoseconds}`;
  if (item instanceof Uint8Array) return `bytes ${item.join()}`;
  return `${kindOf(item)} ${item instanceof Double ? item.value : String(item)}`;
}

/** A list of type `map`: items belong together by their keys, and `+` replaces those that are there. */
export class MapList extends TypedList {
  mapKeys: readonly string[] = [];
  /** The items of the data; undefined for results of `+`, whose keys are found by the names that CEL uses. */
  raw: readonly unknown[] | undefined;

  static make(
    items: Iterable<Value>,
    keys: readonly string[],
    raw: readonly unknown[] | undefined,
  ): MapList {
    const list = new MapList();
    for (const item of items) list.push(item);
    Object.defineProperty(list, 'mapKeys', { value: keys });
    Object.defineProperty(list, 'raw', { value: raw });
    return list;
  }

  override equals(other: Value): boolean | CelError {
    if (!isList(other)) return new CelError(noOverload);
    if (this.length !== other.length) return false;
    const { raw, mapKeys } = this;
    const problem = raw && (unhashable(raw, mapKeys) ?? unhashable(other.map(rawOf), mapKeys));
    if (problem !== undefined) return problem;
    const keyOf = raw ? rawKey : visibleKey;
    const member = new Map<string | undefined, Value>();
    for (const item of this) member.set(keyOf(item, this.mapKeys), item);
    const seen = new Set<string>();
    for (const item of other) {
      const key = keyOf(item, this.mapKeys);
      const match = member.get(key);
      // Without a key no item is the same as another, not even as itself.
      if (match === undefined || key === undefined) return false;
      const result = equalInside(match, item);
      if (result !== true) return result;
      seen.add(key);
    }
    return seen.size === member.size;
  }

  override add(other: Value): Value {
    if (!isList(other)) return new CelError(noOverload);
    const positions = new Map<string, number>();
    this.forEach((item, index) => {
      positions.set(visibleKey(item, this.mapKeys), index);
    });
    const items: Value[] = [...this];
    for (const item of other) {
      const position = positions.get(visibleKey(item, this.mapKeys));
      if (position === undefined) items.push(item);
      else items[position] = item;
    }
    return MapList.make(items, this.mapKeys, undefined);
  }
}

/**
 * Returns the keys as kube-apiserver reads them from the data, by their escaped names; `undefined` for anything but
 * objects.
 */
function rawKey(item: Value, names: readonly string[]): string | undefined {
  if (!(item instanceof TypedObject)) return undefined;
  const { raw } = item;
  return names
    .map((name) => scalarKey(Object.hasOwn(raw, name) ? (raw[name] as Value) : null))
    .join('\n');
}

/**
 * Returns Go's panic for a list or an object in the place of an item's key; keys of more parts are converted to
 * strings.
 */
function unhashable(raw: readonly unknown[], names: readonly string[]): CelError | undefined {
  if (names.length > 3) return undefined;
  for (const item of raw) {
    if (!isObject(item)) continue;
    for (const name of names) {
      const kind = kindOf(member(item, name));
      if (kind !== 'array' && kind !== 'object') continue;
      const type = kind === 'array' ? '[]interface {}' : 'map[string]interface {}';
      return new CelError(`internal error: runtime error: hash of unhashable type ${type}`);
    }
  }
  return undefined;
}

function rawOf(item: Value): unknown {
  return item instanceof TypedObject ? item.raw : undefined;
}

function visibleKey(item: Value, names: readonly string[]): string {
  return names
    .map((name) => {
      const value = isMap(item) ? mapGet(item, name) : undefined;
      return scalarKey(value instanceof CelError ? null : value);
    })
    .join('\n');
}
