/// <reference path="./fast-json-patch.d.ts" />
import { setKey } from '@kubeadmit/base';
import { compareText, unescapePointerSegment } from '@kubeadmit/go';
import { applyOperation } from 'fast-json-patch/module/core.mjs';
import { copyObject } from '../apply/copy-object.ts';
import { existingIndex, type Index, insertionIndex } from './list-index.ts';
import type { Json } from './operation.ts';

/**
 * A null that an operation wrote, as opposed to one that the document had.
 *
 * evanphx/json-patch treats them differently until the patch is through.
 */
export const writtenNull: unique symbol = Symbol('null');

/** A node of a document while it is patched. */
export type Node = Json | typeof writtenNull | NodeArray | NodeObject;
export type NodeArray = Node[];
export interface NodeObject {
  [key: string]: Node;
}

/** An object or array in which an operation reads or writes one member. */
export type Container = NodeArray | NodeObject;

/** evanphx/json-patch's message for a missing value. */
export const missing = 'missing value';

/** A patch that does not apply; the message is evanphx/json-patch's. */
export class PatchError extends Error {}

/** Where a pointer leads: a container that may be written to, and a key of it. */
export interface Target {
  /** The container. */
  readonly container: Container;
  /** The unescaped last segment of the pointer. */
  readonly key: string;
}

/** The result of resolving a target: a node, nothing, or an error. */
export interface Found {
  /** The node; undefined if there is none. */
  readonly node: Node | undefined;
  /** Why there is none, where the reason is not the path. */
  readonly error?: string;
}

/**
 * A document that is patched: containers are copied before the first write, so that the original is never modified. Its
 * methods behave as version 4 of evanphx/json-patch unless a dialect overrides them.
 */
export abstract class PatchedDocument {
  /** The document so far. */
  root: Node;
  /** Whether `remove` ignores a path that does not exist. */
  readonly allowsMissingPathOnRemove: boolean = false;
  /** Whether nulls that operations wrote may be in the document. */
  protected hasWrittenNulls = false;
  readonly #owned: Set<Container> = new Set();
  /**
   * Containers that the server's library has parsed or received, and therefore writes with sorted members;
   * `undefined` to keep the order.
   */
  readonly #parsed: Set<Container> | undefined;

  constructor(document: Json, { keepOrder }: { readonly keepOrder: boolean }) {
    this.root = document;
    this.#parsed = keepOrder ? undefined : new Set();
  }

  /** Puts a value that `add` has in the place of the whole; false where only members can be added. */
  abstract addRoot(value: Node): boolean;

  /** Puts a value that `replace` has in the place of the whole. */
  abstract replaceRoot(value: Node): void;

  /** Whether a `test` of the whole holds. */
  abstract rootEquals(value: Json | undefined): boolean;

  /** Whether a `test` of the node that a target names holds. */
  abstract equals(node: Node | undefined, value: Json | undefined, target: Target): boolean;

  /** Throws where nothing can be put into a container. */
  protected abstract requireWritable(container: Container, prefix: string): void;

  /** Creates the missing parents of a path for `add`. */
  ensurePath(_path: string): void {}

  /** How texts name a path that nothing can be copied from. */
  nameSource(path: string): string {
    return path;
  }

  /** Throws where too much was copied. */
  countCopied(_copied: Node): void {}

  /**
   * Follows a pointer to the container of its last segment; `undefined` when something on the way is missing. The
   * first segment counts for nothing, also when it is not empty.
   */
  find(path: string): Target | undefined {
    let start = path.indexOf('/');
    if (start < 0) return undefined;
    let container = this.ownRoot();
    for (let end = path.indexOf('/', start + 1); end >= 0; end = path.indexOf('/', start + 1)) {
      container &&= this.ownMember(container, unescapePointerSegment(path.slice(start + 1, end)));
      start = end;
    }
    return container && { container, key: unescapePointerSegment(path.slice(start + 1)) };
  }

  /** Reads the value of a target. */
  get({ container, key }: Target): Found {
    if (!Array.isArray(container)) return { node: readMember(container, key) };
    const index = existingIndex(container, key);
    if ('error' in index) return { node: undefined, error: index.error };
    return { node: container[index.index] };
  }

  /** Adds a value: into a list before the element that the key names. */
  insert({ container, key }: Target, value: Node, prefix: string): void {
    this.requireWritable(container, prefix);
    if (value === writtenNull) this.hasWrittenNulls = true;
    if (!Array.isArray(container)) setKey(container, key, value);
    else changeList(container, 'add', indexOr(insertionIndex(container, key), prefix), value);
  }

  /** Puts a value in the place of the one that a key names. */
  set({ container, key }: Target, value: Node, prefix: string): void {
    this.requireWritable(container, prefix);
    if (value === writtenNull) this.hasWrittenNulls = true;
    if (!Array.isArray(container)) setKey(container, key, value);
    else container[indexOr(existingIndex(container, key), prefix)] = value;
  }

  /** Removes the value that a target names. */
  take({ container, key }: Target, prefix: string): void {
    if (Array.isArray(container)) {
      changeList(container, 'remove', indexOr(existingIndex(container, key), prefix));
      return;
    }
    if (!Object.hasOwn(container, key)) {
      throw new PatchError(`${prefix}: Unable to remove nonexistent key: ${key}: ${missing}`);
    }
    Reflect.deleteProperty(container, key);
  }

  /** A copy of a node that shares nothing which operations change. */
  copy(node: Node | undefined): Node {
    if (node === undefined) return null;
    if (!isContainer(node)) return node;
    // Within a copy, a null that was written is like one of the document.
    const inner = (member: Node): Node => (member === writtenNull ? null : this.copy(member));
    const copied: Container = Array.isArray(node)
      ? node.map(inner)
      : Object.fromEntries<Node>(Object.entries(node).map(([key, member]) => [key, inner(member)]));
    if (this.#parsed?.has(node)) this.#parsed.add(copied);
    return copied;
  }

  /** Notes that a node was parsed as a whole: its members will be sorted. */
  noteParsed(node: Node | undefined): void {
    if (this.#parsed === undefined || !isContainer(node) || this.#parsed.has(node)) return;
    this.#parsed.add(node);
    for (const member of Object.values(node)) this.noteParsed(member as Node);
  }

  /** Makes the root writable. Returns `undefined` if it is not a container. */
  protected ownRoot(): Container | undefined {
    if (!isContainer(this.root)) return undefined;
    const container = this.own(this.root);
    this.root = container;
    return container;
  }

  /** Makes the member of a container writable and returns it. Returns `undefined` if it is not a container. */
  protected ownMember(container: Container, key: string): Container | undefined {
    const { node } = this.get({ container, key });
    if (!isContainer(node)) return undefined;
    const owned = this.own(node);
    if (owned !== node) this.set({ container, key }, owned, '');
    return owned;
  }

  protected own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : copyObject(container);
    this.#owned.add(copy);
    this.#parsed?.add(copy);
    return copy;
  }

  /** The patched document as plain JSON; objects that operations went through have sorted members. */
  finish(): Json {
    const document = this.hasWrittenNulls
      ? this.#withoutWrittenNulls(this.root)
      : (this.root as Json);
    return this.#parsed === undefined ? document : this.#sort(document, this.#parsed);
  }

  #sort(node: Json, parsed: ReadonlySet<Container>): Json {
    if (!isContainer(node) || !parsed.has(node)) return node;
    if (Array.isArray(node)) return node.map((element) => this.#sort(element as Json, parsed));
    const object: NodeObject = {};
    for (const key of Object.keys(node).sort(compareText)) {
      setKey(object, key, this.#sort(node[key] as Json, parsed));
    }
    return object as Json;
  }

  // Only values that were written to can contain a written null.
  #withoutWrittenNulls(node: Node): Json {
    if (node === writtenNull) return null;
    if (!isContainer(node) || !this.#owned.has(node)) return node as Json;
    const holder = node as NodeObject;
    for (const key of Object.keys(holder)) {
      setKey(holder, key, this.#withoutWrittenNulls(holder[key] as Node));
    }
    return node as Json;
  }
}

function changeList(list: NodeArray, op: 'add' | 'remove', index: number, value?: Node): void {
  const path = `/${index}`;
  const operation = op === 'add' ? { op, path, value } : { op, path };
  applyOperation<unknown>(list, operation, false, true, false);
}

function indexOr(index: Index, prefix: string): number {
  if ('error' in index) throw new PatchError(`${prefix}: ${index.error}`);
  return index.index;
}

/** Whether a node is an object or an array. */
export function isContainer(node: Node | undefined): node is Container {
  return typeof node === 'object' && node !== null;
}

function readMember(container: NodeObject, key: string): Node | undefined {
  return Object.hasOwn(container, key) ? container[key] : undefined;
}
