import type { MergeList, MergeMap, MergeScalar, MergeType } from '@kubeadmit/schemas';
import {
  isList,
  isNumber,
  isObject,
  isScalar,
  memberOf,
  type PatchObject,
  type PatchValue,
} from './patch-value.ts';

/**
 * Whether a value is valid for a type, when elements of keyed lists and sets may occur more than once:
 * so it is exactly where `validateValue` finds nothing, and takes a fraction of its time.
 */
export function fitsType(value: PatchValue, type: MergeType): boolean {
  const { scalar, list, map } = type;
  if (value === null) return map !== undefined || scalar !== undefined || list !== undefined;
  if (isList(value)) return list !== undefined && fitsList(value, list);
  if (isObject(value)) return map !== undefined && fitsMap(value, map);
  return scalar !== undefined && fitsScalar(value, scalar);
}

function fitsScalar(value: PatchValue, scalar: MergeScalar): boolean {
  switch (scalar) {
    case 'numeric':
      return isNumber(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'untyped':
      return isScalar(value);
  }
}

function fitsList(value: readonly PatchValue[], list: MergeList): boolean {
  const { atomic, element } = list;
  for (const item of value) {
    if (!(atomic || hasKey(list, item)) || !fitsType(item, element)) return false;
  }
  return true;
}

// Whether `elementKey` has no error.
function hasKey({ keys, element }: MergeList, item: PatchValue): boolean {
  if (keys.length === 0) return item !== null && !isList(item) && !isObject(item);
  if (!isObject(item)) return false;
  return keys.some((name) => {
    const value = memberOf(item, name);
    if (value !== undefined) return true;
    const byDefault = element.map?.field(name)?.default;
    return byDefault !== undefined && byDefault !== null;
  });
}

function fitsMap(value: PatchObject, map: MergeMap): boolean {
  for (const key of Object.keys(value)) {
    const type = map.field(key)?.type ?? map.element;
    if (type === undefined || !fitsType(value[key] ?? null, type)) return false;
  }
  return true;
}
