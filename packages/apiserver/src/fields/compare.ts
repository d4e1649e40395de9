import { deepEqual } from '@kubeadmit/go/internal';
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
  walker.compare(before, after, type);
  return {
    added: walker.added.build(),
    modified: walker.modified.build(),
    removed: walker.removed.build(),
  };
}

class Walker {
  /** Where the walk is. */
  readonly #path: string[] = [];
  readonly added: FieldSetBuilder = new FieldSetBuilder();
  readonly modified: FieldSetBuilder = new FieldSetBuilder();
  readonly removed: FieldSetBuilder = new FieldSetBuilder();

  compare(before: unknown, after: unknown, type: MergeType): void {
    // What is one and the same object has no differences.
    if (before === after) return;
    const own = deduceType(type, after ?? before);
    if (this.#isLeaf(before, after, own)) {
      this.#leaf(before, after);
      return;
    }
    if (own.map !== undefined) this.#maps(before, after, own.map);
    else if (own.list !== undefined) this.#lists(before, after, own.list);
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
  }

  #below(element: string, before: unknown, after: unknown, type: MergeType): void {
    this.#path.push(element);
    this.compare(before, after, type);
    this.#path.pop();
  }

  // Values of different forms, scalars, atomic ones, and those that are empty on both sides.
  #isLeaf(before: unknown, after: unknown, { map, list }: MergeType): boolean {
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

  #leaf(before: unknown, after: unknown): void {
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
    else if (!deepEqual(before, after)) this.modified.insert(this.#path);
  }

  #maps(before: unknown, after: unknown, map: MergeMap): void {
    const old = (before ?? {}) as Readonly<Record<string, unknown>>;
    const own = (after ?? {}) as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(old)) {
      const now = Object.hasOwn(own, name) ? own[name] : undefined;
      this.#below(`f:${name}`, old[name], now, memberType(map, name));
    }
    for (const name of Object.keys(own)) {
      if (Object.hasOwn(old, name)) continue;
      this.#below(`f:${name}`, undefined, own[name], memberType(map, name));
    }
  }

  #lists(before: unknown, after: unknown, list: MergeList): void {
    const old = byKey(list, before);
    const own = byKey(list, after);
    for (const [key, value] of old) this.#below(key, value, own.get(key), list.element);
    for (const [key, value] of own) {
      if (!old.has(key)) this.#below(key, undefined, value, list.element);
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
