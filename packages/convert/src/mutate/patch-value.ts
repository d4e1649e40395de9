import { isObject } from '@kubeadmit/apimachinery';
import { hasAnchor, isAnchored, isCondition, patchKey } from './patch-anchors.ts';

/**
 * A part of a patch that goes in as a whole: additions are plain, conditions gone. Elements of lists with anchors at any
 * depth are gone too, since they are for elements that exist. Undefined if nothing is left.
 */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => !hasAnchor(item, isAnchored)).map(plainValue);
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .filter(([written, item]) => item !== null && !isCondition(patchKey(written)))
    .map(([written, item]) => [patchKey(written).key, plainValue(item)] as const)
    .filter(([, item]) => item !== undefined);
  const isEmptied = members.length === 0 && Object.keys(value).length > 0;
  return isEmptied ? undefined : Object.fromEntries(members);
}

/** A patch without its empty maps, which Kyverno loses; undefined if nothing is left. */
export function pruned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(pruned).filter((item) => item !== undefined);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([written, item]) => {
    const key = patchKey(written);
    // The anchor of an addition of nothing decides about the element that it is in.
    const rest = key.modifier === '+' ? (pruned(item) ?? {}) : pruned(item);
    const kept = isCondition(key) ? item : rest;
    return kept === undefined ? [] : [[written, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Whether a part of a patch has an addition anchor at any depth. */
export function holdsAddition(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsAddition);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([written, item]) => patchKey(written).modifier === '+' || holdsAddition(item),
  );
}
