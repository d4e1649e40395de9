import { member } from '@kubeadmit/apimachinery';
import { isPlainObject } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import type { MergeList, MergeMap, MergeType } from '@kubeadmit/schemas/merge';
import { keysElement, valueElement } from './path-element.ts';

/** The members of a type that hold for a value; all of them where none fits (structured-merge-diff `deduceAtom`). */
export function deduceType(type: MergeType, value: unknown): MergeType {
  if (value === undefined || value === null) return type;
  if (Array.isArray(value)) return type.list === undefined ? type : { list: type.list };
  if (isPlainObject(value)) return type.map === undefined ? type : { map: type.map };
  return type.scalar === undefined ? type : { scalar: type.scalar };
}

/** Returns the type of a member of a map. */
export function memberType(map: MergeMap, name: string): MergeType {
  return map.field(name)?.type ?? map.element ?? untyped;
}

const untyped: MergeType = { scalar: 'untyped' };

/** The path element of an element of a list; undefined where it has no key (structured-merge-diff `listItemToPathElement`). */
export function elementOf(list: MergeList, element: unknown): string | undefined {
  if (list.keys.length === 0) {
    return typeof element === 'object' || element === undefined ? undefined : valueElement(element);
  }
  if (!isPlainObject(element)) return undefined;
  const keys: (readonly [string, unknown])[] = [];
  const names = list.keys.length === 1 ? list.keys : [...list.keys].sort(compareText);
  for (const name of names) {
    const value = member(element, name) ?? list.element.map?.field(name)?.default;
    if (value !== undefined && value !== null) keys.push([name, value]);
  }
  return keys.length === 0 ? undefined : keysElement(keys);
}
