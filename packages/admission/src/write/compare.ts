import { isPlainObject } from '@kubeadmit/base';
import { deepEqual } from '@kubeadmit/go';
import type { MergeList, MergeMap, MergeType } from '@kubeadmit/schemas/merge';
import { type FieldNode, type FieldSet, FieldSetBuilder, noFields } from './field-set.ts';
import { deduceType, elementOf, memberType } from './typed-value.ts';

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
    // An object has no differences from itself.
    if (before === after) return;
    if (before === undefined) {
      this.added.graft(this.#path, nodeOf(after, type));
      return;
    }
    if (after === undefined) {
      this.removed.graft(this.#path, nodeOf(before, type));
      return;
    }
    const own = deduceType(type, after ?? before);
    if (isLeaf(before, after, own)) {
      if (!deepEqual(before, after)) this.modified.insert(this.#path);
    } else if (own.map !== undefined) this.#maps(before, after, own.map);
    else if (own.list !== undefined) this.#lists(before, after, own.list);
  }

  #below(element: string, before: unknown, after: unknown, type: MergeType): void {
    this.#path.push(element);
    this.compare(before, after, type);
    this.#path.pop();
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

/**
 * Whether two values have no comparable child fields: scalars, atomic values, values of different types, or two
 * empty values.
 */
function isLeaf(before: unknown, after: unknown, { map, list }: MergeType): boolean {
  if (map !== undefined && isPlainObjectOrNull(before) && isPlainObjectOrNull(after)) {
    return map.atomic || (isEmpty(before) && isEmpty(after));
  }
  if (list !== undefined && isListOrNull(before) && isListOrNull(after)) {
    return (
      list.atomic ||
      (isEmpty(before) && isEmpty(after)) ||
      hasUnkeyed(list, before) ||
      hasUnkeyed(list, after)
    );
  }
  return true;
}

function isPlainObjectOrNull(value: unknown): boolean {
  return value === null || isPlainObject(value);
}

function isListOrNull(value: unknown): boolean {
  return value === null || Array.isArray(value);
}

/** Returns the fields of a value that exists on one side only: the value itself and its child fields. */
function nodeOf(value: unknown, { map, list }: MergeType): FieldNode {
  let children = noFields;
  if (map !== undefined && !map.atomic && isPlainObject(value)) children = membersOf(value, map);
  else if (list !== undefined && !list.atomic && Array.isArray(value)) {
    children = elementsOf(value, list);
  }
  return { isMember: true, children };
}

function membersOf(value: Readonly<Record<string, unknown>>, map: MergeMap): FieldSet {
  const children = new Map<string, FieldNode>();
  for (const name of Object.keys(value)) {
    const own = value[name];
    if (own !== undefined) children.set(`f:${name}`, nodeOf(own, memberType(map, name)));
  }
  return children;
}

function elementsOf(values: readonly unknown[], list: MergeList): FieldSet {
  const children = new Map<string, FieldNode>();
  for (const value of values) {
    const key = elementOf(list, value);
    if (key === undefined) return noFields;
    children.set(key, nodeOf(value, list.element));
  }
  return children;
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
