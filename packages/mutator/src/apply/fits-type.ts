import type { MergeList, MergeMap, MergeScalar, MergeType } from '@kubeadmit/schemas/merge';
import { elementId } from './element-key.ts';
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
 * Whether an apply configuration is valid for a type and holds no atomic lists, maps and structs: so it
 * is exactly where `validateValue` and `findAtomics` find nothing, and takes a fraction of their time.
 */
export function isAcceptable(value: PatchValue, type: MergeType): boolean {
  const { scalar, list, map } = type;
  if (isList(value)) {
    if (list === undefined || list.atomic || !haveDistinctKeys(value, list)) return false;
    for (const item of value) if (!isAcceptable(item, list.element)) return false;
    return true;
  }
  if (isObject(value)) {
    if (map === undefined || map.atomic) return false;
    for (const key of Object.keys(value)) {
      const member = map.field(key)?.type ?? map.element;
      if (member === undefined || !isAcceptable(value[key] ?? null, member)) return false;
    }
    return true;
  }
  if (value === null) return map !== undefined || scalar !== undefined || list !== undefined;
  return scalar !== undefined && fitsScalar(value, scalar);
}

function haveDistinctKeys(items: readonly PatchValue[], list: MergeList): boolean {
  if (items.length < 2) return items.every((item) => hasKey(list, item));
  const seen = new Set<string>();
  for (const item of items) {
    const id = elementId(list, item);
    if (id === undefined || seen.has(id)) return false;
    seen.add(id);
  }
  return true;
}

/**
 * Whether a value is valid for a type, when elements of keyed lists and sets may occur more than once:
 * so it is exactly where `validateValue` finds nothing, and takes a fraction of its time.
 *
 * @param isDecoded whether the value is decoded, so that only doubtful positions have to be checked
 */
export function fitsType(value: PatchValue, type: MergeType, isDecoded: boolean): boolean {
  const { scalar, list, map } = type;
  if (value === null) return map !== undefined || scalar !== undefined || list !== undefined;
  if (isList(value)) return list !== undefined && fitsList(value, list, isDecoded);
  if (isObject(value)) return map !== undefined && fitsMap(value, map, isDecoded);
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

function fitsList(value: readonly PatchValue[], list: MergeList, isDecoded: boolean): boolean {
  const { atomic, element } = list;
  for (const item of value) {
    if (!(atomic || hasKey(list, item)) || !fitsType(item, element, isDecoded)) return false;
  }
  return true;
}

// Whether `elementId` finds one.
function hasKey({ keys, element }: MergeList, item: PatchValue): boolean {
  if (keys.length === 0) return item !== null && !isList(item) && !isObject(item);
  if (!isObject(item)) return false;
  for (const name of keys) {
    if (memberOf(item, name) !== undefined) return true;
    const byDefault = element.map?.field(name)?.default;
    if (byDefault !== undefined && byDefault !== null) return true;
  }
  return false;
}

function fitsMap(value: PatchObject, map: MergeMap, isDecoded: boolean): boolean {
  const doubtful = isDecoded ? map.doubtful : undefined;
  if (doubtful !== undefined) {
    for (const name of doubtful) {
      const member = memberOf(value, name);
      const type = member === undefined ? undefined : map.field(name)?.type;
      if (member === undefined || type === undefined) continue;
      if (!fitsType(member, type, isDecoded)) return false;
    }
    return true;
  }
  for (const key of Object.keys(value)) {
    const type = map.field(key)?.type ?? map.element;
    if (type === undefined || !fitsType(value[key] ?? null, type, isDecoded)) return false;
  }
  return true;
}
