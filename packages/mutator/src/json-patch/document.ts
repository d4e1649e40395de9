/// <reference path="./fast-json-patch.d.ts" />
import { compareText, setKey } from '@kubeadmit/go/internal';
import { applyOperation } from 'fast-json-patch/module/core.mjs';
import { copyObject } from '../copy-object.ts';
import type { Json } from './operation.ts';

/**
 * A null that an operation wrote, as opposed to one that the document had.
 *
 * kube-apiserver's library treats them differently until the patch is through.
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

/**
 * A document that is patched: containers are copied when they are first written to, so that the
 * original stays as it is.
 */
export class PatchedDocument {
  root: Node;
  /** The size of all copies so far, in bytes of JSON. */
  copiedBytes: number = 0;
  readonly #owned: Set<Container> = new Set();
  // What the server's library has parsed, or was given, and so writes with sorted members.
  readonly #parsed: Set<Container> | undefined;
  #wroteNull: boolean = false;

  constructor(document: Json, { keepOrder }: { readonly keepOrder: boolean }) {
    this.root = document;
    this.#parsed = keepOrder ? undefined : new Set();
  }

  /** Notes that a node was parsed as a whole: its members will be sorted. */
  noteParsed(node: Node | undefined): void {
    if (this.#parsed === undefined || !isContainer(node) || this.#parsed.has(node)) return;
    this.#parsed.add(node);
    for (const member of Object.values(node)) this.noteParsed(member as Node);
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

  /** Makes the root writable; `undefined` when it is no container. */
  ownRoot(): Container | undefined {
    if (!isContainer(this.root)) return undefined;
    const container = this.#own(this.root);
    this.root = container;
    return container;
  }

  /** Makes the member of a container writable and gives it; `undefined` when it is no container. */
  ownMember(container: Container, key: string | number): Container | undefined {
    const node = readMember(container, key);
    if (!isContainer(node)) return undefined;
    const owned = this.#own(node);
    if (owned === node) return owned;
    if (Array.isArray(container)) container[Number(key)] = owned;
    else setKey(container, String(key), owned);
    return owned;
  }

  /** Changes one member: `add` inserts into arrays, `replace` and `remove` need the member. */
  write(
    container: Container,
    op: 'add' | 'replace' | 'remove',
    key: string | number,
    value?: Node,
  ): void {
    if (value === writtenNull) this.#wroteNull = true;
    if (Array.isArray(container)) {
      const path = `/${key}`;
      const operation = op === 'remove' ? { op, path } : { op, path, value };
      applyOperation<unknown>(container, operation, false, true, false);
    } else if (op === 'remove') {
      Reflect.deleteProperty(container, key);
    } else {
      setKey(container, String(key), value);
    }
  }

  /** The patched document as plain JSON; objects that operations went through have sorted members. */
  finish(): Json {
    const document = this.#wroteNull ? this.#withoutWrittenNulls(this.root) : (this.root as Json);
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

  // Only what was written to can hold a null that was.
  #withoutWrittenNulls(node: Node): Json {
    if (node === writtenNull) return null;
    if (!isContainer(node) || !this.#owned.has(node)) return node as Json;
    const members = Array.isArray(node) ? node.keys() : Object.keys(node);
    for (const key of members) {
      setKey(
        node as NodeObject,
        String(key),
        this.#withoutWrittenNulls(readMember(node, key) as Node),
      );
    }
    return node as Json;
  }

  #own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : copyObject(container);
    this.#owned.add(copy);
    this.#parsed?.add(copy);
    return copy;
  }
}

/** Whether a node is an object or an array. */
export function isContainer(node: Node | undefined): node is Container {
  return typeof node === 'object' && node !== null;
}

/** The member of a container; `undefined` when there is none. */
export function readMember(container: Container, key: string | number): Node | undefined {
  if (Array.isArray(container)) return container[Number(key)];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}
