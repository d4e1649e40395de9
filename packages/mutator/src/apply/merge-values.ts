import { setKey } from '@kubeadmit/base';
import type { MergeList, MergeMap, MergeType } from '@kubeadmit/schemas/merge';
import { copyObject } from './copy-object.ts';
import { elementId } from './element-key.ts';
import {
  isList,
  isObject,
  isScalar,
  memberOf,
  type PatchObject,
  type PatchValue,
} from './patch-value.ts';

/**
 * Merges an apply configuration into an object, both valid for the type (structured-merge-diff, mergingWalker).
 * Pass `undefined` if no object exists.
 *
 * The result shares unmentioned fields with the object, and new fields with the configuration.
 */
export function mergeValues(
  live: PatchValue | undefined,
  patch: PatchValue,
  type: MergeType,
): PatchValue {
  if (live === undefined || isScalar(patch)) return patch;
  const { map, list } = type;
  if (isObject(patch)) return map === undefined ? patch : mergeMaps(live, patch, map);
  if (isList(patch)) return list === undefined ? patch : mergeLists(live, patch, list);
  if (map !== undefined) return isReplacedByNull(live, map) ? patch : live;
  if (type.scalar !== undefined || list === undefined) return patch;
  return list.atomic || !isList(live) || live.length === 0 ? patch : live;
}

function isReplacedByNull(live: PatchValue, map: MergeMap): boolean {
  return map.atomic || !isObject(live) || isEmptyObject(live);
}

function mergeMaps(live: PatchValue, patch: PatchObject, map: MergeMap): PatchValue {
  if (map.atomic || !isObject(live)) return patch;
  const keys = Object.keys(patch);
  if (keys.length === 0) return isEmptyObject(live) ? patch : live;
  const merged = copyObject(live);
  for (const key of keys) {
    const member = patch[key] as PatchValue;
    const type = map.field(key)?.type ?? map.element;
    const value = type === undefined ? member : mergeValues(memberOf(live, key), member, type);
    setKey(merged, key, value);
  }
  return merged;
}

function isEmptyObject(object: PatchObject): boolean {
  return Object.keys(object).length === 0;
}

function mergeLists(
  live: PatchValue,
  patch: readonly PatchValue[],
  list: MergeList,
): readonly PatchValue[] {
  if (list.atomic || !isList(live) || live.length === 0) return patch;
  if (patch.length === 0) return live;
  const indexed = indexElements(patch, list);
  const isShared = live.some((element) => indexed.byId.has(elementId(list, element) ?? ''));
  // New elements follow existing ones.
  if (!isShared) return [...live, ...patch];
  return mergeElements(indexElements(live, list), indexed, list);
}

interface Indexed {
  readonly elements: readonly PatchValue[];
  readonly ids: readonly string[];
  /** The value of each identity; null where it occurs more than once. */
  readonly byId: ReadonlyMap<string, PatchValue>;
}

function indexElements(elements: readonly PatchValue[], list: MergeList): Indexed {
  const byId = new Map<string, PatchValue>();
  const kept: PatchValue[] = [];
  const ids: string[] = [];
  for (const element of elements) {
    const id = elementId(list, element);
    if (id === undefined) continue;
    byId.set(id, byId.has(id) ? null : element);
    ids.push(id);
    kept.push(element);
  }
  return { elements: kept, ids, byId };
}

// Elements in both lists come in the order of the patch; those of one list only keep their place
// relative to them.
function mergeElements(live: Indexed, patch: Indexed, list: MergeList): PatchValue[] {
  const merged: PatchValue[] = [];
  const done = new Set<string>();
  const shared = patch.ids.filter((id) => live.byId.has(id));
  let nextShared = 0;
  const emit = (id: string): void => {
    done.add(id);
    merged.push(mergeValues(live.byId.get(id), patch.byId.get(id) ?? null, list.element));
  };
  let l = 0;
  let r = 0;
  while (l < live.ids.length || r < patch.ids.length) {
    const liveId = live.ids[l];
    const patchId = patch.ids[r];
    if (liveId !== undefined && patchId !== undefined) {
      if (liveId === patchId) {
        emit(patchId);
        l++;
        r++;
        nextShared++;
        continue;
      }
      const next = shared[nextShared];
      if (patch.byId.has(liveId) && next !== undefined && next !== liveId) {
        l++;
        continue;
      }
    }
    if (liveId !== undefined) {
      if (!patch.byId.has(liveId)) {
        merged.push(live.elements[l] as PatchValue);
        l++;
        continue;
      }
      if (done.has(liveId)) l++;
    }
    if (patchId !== undefined) {
      emit(patchId);
      r++;
      if (shared[nextShared] === patchId) nextShared++;
    }
  }
  return merged;
}
