import { deepEqual } from '@kubeadmit/go';
import type { MergeList, MergeMap, MergeType } from '@kubeadmit/schemas/internal';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { deduceType, elementOf, isMap, memberType } from './typed-value.ts';

/** How two values differ, by their fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of a type (structured-merge-diff `TypedValue.Compare`). */
export function compareValues(before: unknown, after: unknown, type: MergeType): Comparison {
  const walker = new Walker();
  walker.compare(before, after, type, { path: [], isInLeaf: false });
  return {
    added: walker.added.build(),
    modified: walker.modified.build(),
    removed: walker.removed.build(),
  };
}

interface Place {
  readonly path: readonly string[];
  readonly isInLeaf: boolean;
}

class Walker {
  readonly added: FieldSetBuilder = new FieldSetBuilder();
  readonly modified: FieldSetBuilder = new FieldSetBuilder();
  readonly removed: FieldSetBuilder = new FieldSetBuilder();

  compare(before: unknown, after: unknown, type: MergeType, place: Place): void {
    if (before === undefined && after === undefined) return;
    const own = deduceType(type, after ?? before);
    const isLeaf = place.isInLeaf || this.isLeaf(before, after, own);
    if (isLeaf) {
      if (!place.isInLeaf) this.leaf(before, after, place.path);
      return;
    }
    if (own.map !== undefined) this.maps(before, after, own.map, place.path);
    else if (own.list !== undefined) this.lists(before, after, own.list, place.path);
    if (before === undefined) this.added.insert(place.path);
    else if (after === undefined) this.removed.insert(place.path);
  }

  // Values of different forms, scalars, atomic ones, and those that are empty on both sides.
  private isLeaf(before: unknown, after: unknown, { map, list }: MergeType): boolean {
    const isWith = (test: (value: unknown) => boolean): boolean =>
      [before, after].every((value) => value === undefined || value === null || test(value));
    if (map !== undefined && isWith(isMap)) return map.atomic || [before, after].every(isEmpty);
    if (list !== undefined && isWith(Array.isArray)) {
      return (
        list.atomic ||
        [before, after].every(isEmpty) ||
        [before, after].some((value) => hasUnkeyed(list, value))
      );
    }
    return true;
  }

  private leaf(before: unknown, after: unknown, path: readonly string[]): void {
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
    else if (!deepEqual(before, after)) this.modified.insert(path);
  }

  private maps(before: unknown, after: unknown, map: MergeMap, path: readonly string[]): void {
    const old = (before ?? {}) as Readonly<Record<string, unknown>>;
    const own = (after ?? {}) as Readonly<Record<string, unknown>>;
    for (const name of new Set([...Object.keys(old), ...Object.keys(own)])) {
      this.compare(
        Object.hasOwn(old, name) ? old[name] : undefined,
        Object.hasOwn(own, name) ? own[name] : undefined,
        memberType(map, name),
        { path: [...path, `f:${name}`], isInLeaf: false },
      );
    }
  }

  private lists(before: unknown, after: unknown, list: MergeList, path: readonly string[]): void {
    const old = byKey(list, before);
    const own = byKey(list, after);
    for (const key of new Set([...old.keys(), ...own.keys()])) {
      this.compare(old.get(key), own.get(key), list.element, {
        path: [...path, key],
        isInLeaf: false,
      });
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function hasUnkeyed(list: MergeList, value: unknown): boolean {
  return Array.isArray(value) && value.some((element) => elementOf(list, element) === undefined);
}

function byKey(list: MergeList, value: unknown): ReadonlyMap<string, unknown> {
  const elements = new Map<string, unknown>();
  for (const element of (value ?? []) as readonly unknown[]) {
    const key = elementOf(list, element);
    if (key !== undefined) elements.set(key, element);
  }
  return elements;
}
