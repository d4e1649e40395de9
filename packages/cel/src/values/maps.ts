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
  const keys = mapKeys(left);
  if (keys.length !== mapSize(right)) {
    return false;
  }
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as Value;
    const value = left instanceof CelMap ? left.get(key) : left[key as string];
    const other = mapGet(right, key);
    if (other === undefined || value === undefined || !(value === other || equal(value, other))) {
      return false;
    }
  }
  return true;
}
