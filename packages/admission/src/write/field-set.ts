import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { compareElements, elementText, PathElementError, readElement } from './path-element.ts';

/** One element of the paths in a set. */
export interface FieldNode {
  /** Whether the path itself is in the set. */
  readonly isMember: boolean;
  /** The paths below it. */
  readonly children: FieldSet;
}

/**
 * A set of paths to fields (structured-merge-diff `fieldpath.Set`), by the elements of the paths as FieldsV1 writes
 * them: `f:spec`, `k:{"name":"a"}`, `v:"x"`, `i:0`.
 */
export type FieldSet = ReadonlyMap<string, FieldNode>;

/** No fields. */
export const noFields: FieldSet = new Map();

interface OpenNode {
  isMember: boolean;
  readonly children: Map<string, FieldNode>;
}

/** A set under construction. */
export class FieldSetBuilder {
  readonly #root: OpenNode = { isMember: false, children: new Map() };

  /** Puts in a path; an empty one is nothing. */
  insert(path: readonly string[]): void {
    this.#open(path, path.length).isMember = true;
  }

  /** Puts in a place with all that is below it, where nothing was put in before or is afterwards. */
  graft(path: readonly string[], node: FieldNode): void {
    const last = path.at(-1);
    const { children } = this.#open(path, path.length - 1);
    if (last !== undefined) children.set(last, node);
    // The root itself is not a field.
    else for (const [element, child] of node.children) children.set(element, child);
  }

  /** The set; nothing is put in after it. */
  build(): FieldSet {
    return this.#root.children;
  }

  // INVARIANT: no path leads through a grafted node, so that all nodes on it were created here.
  #open(path: readonly string[], length: number): OpenNode {
    let node = this.#root;
    for (let at = 0; at < length; at++) {
      const element = path[at] ?? '';
      let child = node.children.get(element) as OpenNode | undefined;
      if (child === undefined) {
        child = { isMember: false, children: new Map() };
        node.children.set(element, child);
      }
      node = child;
    }
    return node;
  }
}

/** The set of some paths. */
export function fieldSetOf(paths: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

/** Reads FieldsV1 of any client. Throws a {@link PathElementError}. */
export function readFieldSet(fields: unknown): FieldSet {
  const set = new Map<string, FieldNode>();
  for (const [written, value] of membersOf(fields)) {
    const element = written === '.' ? undefined : readElement(written);
    if (element === undefined) continue;
    const children = readFieldSet(value);
    const isMember = children.size === 0 || Object.hasOwn(value as object, '.');
    const known = set.get(element);
    set.set(element, {
      isMember: isMember || known?.isMember === true,
      children: known !== undefined && children.size === 0 ? known.children : children,
    });
  }
  return set;
}

function membersOf(fields: unknown): readonly (readonly [string, unknown])[] {
  if (fields === null) return [];
  if (typeof fields !== 'object' || Array.isArray(fields)) {
    throw new PathElementError('fields are written as an object');
  }
  return Object.entries(fields);
}

/** Writes FieldsV1, with the elements in their order: fields, keys, values, indexes. */
export function writeFieldSet(set: FieldSet): KubernetesObject {
  return writeFields(set, false);
}

// INVARIANT: callers never modify the written fields.
const nothing: KubernetesObject = {};

function writeFields(set: FieldSet, isMember: boolean): KubernetesObject {
  if (set.size === 0) return nothing;
  const written: Record<string, unknown> = isMember ? { '.': nothing } : {};
  for (const [element, node] of sorted(set)) {
    setKey(written, element, writeFields(node.children, node.isMember));
  }
  return written;
}

type Entry = readonly [string, FieldNode];

function sorted(set: FieldSet): readonly Entry[] {
  const nodes: Entry[] = [...set];
  for (let at = 1; at < nodes.length; at++) {
    if (byElement(nodes[at - 1] as Entry, nodes[at] as Entry) > 0) return nodes.sort(byElement);
  }
  return nodes;
}

function byElement([a]: Entry, [b]: Entry): number {
  return compareElements(a, b);
}

function put(set: Map<string, FieldNode>, element: string, node: FieldNode): void {
  if (node.isMember || node.children.size > 0) set.set(element, node);
}

/** The paths in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const result = new Map(a);
  for (const [element, other] of b) {
    const own = a.get(element);
    result.set(
      element,
      own === undefined
        ? other
        : {
            isMember: own.isMember || other.isMember,
            children: union(own.children, other.children),
          },
    );
  }
  return result;
}

/** The paths in any of several sets. Each is copied a few times only, however many there are. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  const [first = noFields] = sets;
  if (sets.length <= 1) return first;
  const half = Math.ceil(sets.length / 2);
  return union(unionOf(sets.slice(0, half)), unionOf(sets.slice(half)));
}

/** The paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a.size === 0 || b.size === 0) return noFields;
  const result = new Map<string, FieldNode>();
  for (const [element, own] of a) {
    const other = b.get(element);
    if (other === undefined) continue;
    put(result, element, {
      isMember: own.isMember && other.isMember,
      children: intersection(own.children, other.children),
    });
  }
  return result;
}

/** The paths of the first set that are not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (b.size === 0) return a;
  const result = new Map<string, FieldNode>();
  for (const [element, own] of a) {
    const other = b.get(element);
    if (other === undefined) result.set(element, own);
    else {
      put(result, element, {
        isMember: own.isMember && !other.isMember,
        children: difference(own.children, other.children),
      });
    }
  }
  return result;
}

/** The paths of the first set that neither are in the second nor lie below one that is. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (b.size === 0) return a;
  const result = new Map<string, FieldNode>();
  for (const [element, node] of a) {
    const other = b.get(element);
    if (other?.isMember) continue;
    const children = other ? recursiveDifference(node.children, other.children) : node.children;
    if (node.isMember || children.size > 0) result.set(element, { ...node, children });
  }
  return result;
}

/** The paths of a set in their order: those of a place before those below it. */
export function pathsOf(set: FieldSet): readonly (readonly string[])[] {
  const nodes = sorted(set);
  return [
    ...nodes.filter(([, { isMember }]) => isMember).map(([element]) => [element]),
    ...nodes.flatMap(([element, { children }]) =>
      pathsOf(children).map((path) => [element, ...path]),
    ),
  ];
}

/** A path as texts show it: `.spec.variables[name="v1"].expression`. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}
