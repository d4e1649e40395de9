import { CelMap } from './map.ts';
import type { PlainObject, Value } from './value.ts';

// Operations of both forms of maps; look-ups see only own properties.

// The object with many entries that was counted last; engines count them one by one.
let counted: PlainObject | undefined;
let countedSize = 0;
const fewEntries = 256;

/** How many entries a map has. */
export function mapSize(map: PlainObject | CelMap): number {
  if (map instanceof CelMap) return map.size;
  if (map === counted) return countedSize;
  const size = Object.keys(map).length;
  if (size > fewEntries) {
    counted = map;
    countedSize = size;
  }
  return size;
}

/** Ends an evaluation, after which objects may change. */
export function forgetCounted(): void {
  counted = undefined;
}

/** Whether an object has no entry; takes no longer for one with many. */
export function isEmptyObject(object: PlainObject): boolean {
  for (const key in object) {
    if (Object.hasOwn(object, key)) return false;
  }
  return true;
}

/** The keys of a map, in its order. */
export function mapKeys(map: PlainObject | CelMap): readonly Value[] {
  return map instanceof CelMap ? map.keys : Object.keys(map);
}

/** The value of a key; `undefined` when the map does not have it. */
export function mapGet(map: PlainObject | CelMap, key: Value): Value | undefined {
  if (map instanceof CelMap) return map.get(key);
  return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether two values are certainly the same; lists with a custom equality may differ from themselves. */
function isSame(value: Value, other: Value): boolean {
  return value === other && typeof value !== 'object';
}

/** Whether two values that are not identical differ. */
type Differs = (left: Value, right: Value) => boolean;

/** Whether two maps have the same keys with equal values. */
export function isSameMap(
  left: PlainObject | CelMap,
  right: PlainObject | CelMap,
  differs: Differs,
): boolean {
  const keys = mapKeys(left);
  if (keys.length !== mapSize(right)) return false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as Value;
    const value = left instanceof CelMap ? left.values[index] : left[key as string];
    const other =
      typeof key === 'string' && !(right instanceof CelMap)
        ? ownValue(right, key)
        : mapGet(right, key);
    if (value === undefined || other === undefined) return false;
    if (!isSame(value, other) && differs(value, other)) return false;
  }
  return true;
}

function ownValue(map: PlainObject, key: string): Value | undefined {
  const value = map[key];
  // Values that all objects inherit are functions, or the prototype itself.
  return typeof value === 'function' || value === prototype ? mapGet(map, key) : value;
}

const prototype: unknown = Object.prototype;
