import { setKey } from '@kubeadmit/cel';
import type { MergeList, MergeMap, MergeType } from '@kubeadmit/schemas';
import { type ElementKey, elementKey } from './element-key.ts';
import { isList, isObject, memberOf, type PatchObject, type PatchValue } from './patch-value.ts';
import { deduceType } from './validate-value.ts';

type Optional = PatchValue | undefined;

/**
 * Merges an apply configuration into an object, both valid for the type (structured-merge-diff,
 * mergingWalker); `undefined` on a side stands for nothing there, and as a result for no value.
 */
export function mergeValues(live: Optional, patch: Optional, type: MergeType): Optional {
  const { map, scalar, list } = deduceType(type, patch === undefined ? live : patch);
  if (map !== undefined) return mergeMaps(live, patch, map);
  if (scalar !== undefined || list === undefined) return keepPatch(live, patch);
  return mergeLists(live, patch, list);
}

function keepPatch(live: Optional, patch: Optional): Optional {
  return patch === undefined ? live : patch;
}

function mergeMaps(live: Optional, patch: Optional, map: MergeMap): Optional {
  const left = isObject(live) ? live : emptyObject;
  const right = isObject(patch) ? patch : emptyObject;
  const rightKeys = Object.keys(right);
  if (map.atomic) return keepPatch(live, patch);
  if (rightKeys.length === 0 && isEmptyObject(left)) return keepPatch(live, patch);
  // What the patch does not mention stays the same value.
  if (rightKeys.length === 0) return left;
  const merged: Record<string, PatchValue> = { ...left };
  for (const key of rightKeys) {
    const type = map.field(key)?.type ?? map.element;
    const member = memberOf(right, key);
    const value = type === undefined ? member : mergeValues(memberOf(left, key), member, type);
    if (value !== undefined) setKey(merged, key, value);
  }
  return isEmptyObject(merged) ? undefined : merged;
}

const emptyObject: PatchObject = {};

function isEmptyObject(object: PatchObject): boolean {
  return Object.keys(object).length === 0;
}

function mergeLists(live: Optional, patch: Optional, list: MergeList): Optional {
  const left = isList(live) ? live : [];
  const right = isList(patch) ? patch : [];
  if (list.atomic) return keepPatch(live, patch);
  if (left.length === 0 && right.length === 0) return keepPatch(live, patch);
  if (right.length === 0) return left;
  return mergeElements(indexElements(left, list), indexElements(right, list), list);
}

interface Indexed {
  readonly elements: readonly PatchValue[];
  readonly keys: readonly string[];
  /** The value of each key; null where it occurs more than once. */
  readonly byKey: ReadonlyMap<string, PatchValue>;
}

function indexElements(elements: readonly PatchValue[], list: MergeList): Indexed {
  const byKey = new Map<string, PatchValue>();
  const kept: PatchValue[] = [];
  const keys: string[] = [];
  for (const element of elements) {
    const key: ElementKey | { readonly error: string } = elementKey(list, element);
    if ('error' in key) continue;
    byKey.set(key.id, byKey.has(key.id) ? null : element);
    keys.push(key.id);
    kept.push(element);
  }
  return { elements: kept, keys, byKey };
}

// Elements in both lists come in the order of the patch; those of one list only keep their place
// relative to them.
function mergeElements(live: Indexed, patch: Indexed, list: MergeList): PatchValue[] {
  const merged: PatchValue[] = [];
  const done = new Set<string>();
  const shared = patch.keys.filter((key) => live.byKey.has(key));
  let nextShared = 0;
  const emit = (key: string): void => {
    done.add(key);
    const value = mergeValues(live.byKey.get(key), patch.byKey.get(key), list.element);
    if (value !== undefined) merged.push(value);
  };
  let l = 0;
  let r = 0;
  while (l < live.keys.length || r < patch.keys.length) {
    const liveKey = live.keys[l];
    const patchKey = patch.keys[r];
    if (liveKey !== undefined && patchKey !== undefined) {
      if (liveKey === patchKey) {
        emit(patchKey);
        l++;
        r++;
        nextShared++;
        continue;
      }
      const next = shared[nextShared];
      if (patch.byKey.has(liveKey) && next !== undefined && next !== liveKey) {
        l++;
        continue;
      }
    }
    if (liveKey !== undefined) {
      if (!patch.byKey.has(liveKey)) {
        merged.push(live.elements[l] as PatchValue);
        l++;
        continue;
      }
      if (done.has(liveKey)) l++;
    }
    if (patchKey !== undefined) {
      emit(patchKey);
      r++;
      if (shared[nextShared] === patchKey) nextShared++;
    }
  }
  return merged;
}
