import { CelMap } from './map.ts';
import type { PlainObject, Value } from './value.ts';

// What maps of both forms can do; every look-up sees own properties only.

/** How many entries a map has. */
export function mapSize(map: PlainObject | CelMap): number {
  return map instanceof CelMap ? map.size : Object.keys(map).length;
}

/** The keys of a map, in its order. */
export function mapKeys(map: PlainObject | CelMap): readonly Value[] {
  return map instanceof CelMap ? map.keys : Object.keys(map);
}

/** The value of a key; `undefined` when the map does not have it. */
export function mapGet(map: PlainObject | CelMap, key: Value): Value | undefined {
  if (map instanceof CelMap) {
    return map.get(key);
  }
  return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether two maps have the same keys with equal values. */
export function isSameMap(
  left: PlainObject | CelMap,
  right: PlainObject | CelMap,
  equal: (left: Value, right: Value) => boolean,
): boolean {
  if (mapSize(left) !== mapSize(right)) {
    return false;
  }
  if (left instanceof CelMap) {
    return left.keys.every((key) => isSameEntry(left.get(key), mapGet(right, key), equal));
  }
  // Goes through own keys only, as long as nothing that can be enumerated is inherited by all objects.
  for (const key in left) {
    const other = right instanceof CelMap ? right.get(key) : own(right, key);
    if (!isSameEntry(left[key], other, equal)) {
      return false;
    }
  }
  return true;
}

function isSameEntry(
  value: Value | undefined,
  other: Value | undefined,
  equal: (left: Value, right: Value) => boolean,
): boolean {
  if (value === undefined || other === undefined) {
    return false;
  }
  // Lists with an equality of their own need not be equal to themselves.
  return (value === other && typeof value !== 'object') || equal(value, other);
}

/** The value of a key; what is inherited is no value, or a function. */
function own(map: PlainObject, key: string): Value | undefined {
  const value = map[key];
  return typeof value === 'function' || key === '__proto__' ? mapGet(map, key) : value;
}
