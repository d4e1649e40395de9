import { setKey } from '@kubeadmit/cel';
import { compareText } from '@kubeadmit/engine';
import jsonPatch from 'fast-json-patch';
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
  private readonly owned: Set<Container> = new Set();
  private wroteNull: boolean = false;

  constructor(document: Json) {
    this.root = document;
  }

  /** Makes the root writable; `undefined` when it is no container. */
  ownRoot(): Container | undefined {
    if (!isContainer(this.root)) return undefined;
    const container = this.own(this.root);
    this.root = container;
    return container;
  }

  /** Makes the member of a container writable and gives it; `undefined` when it is no container. */
  ownMember(container: Container, key: string | number): Container | undefined {
    const node = readMember(container, key);
    if (!isContainer(node)) return undefined;
    const owned = this.own(node);
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
    if (value === writtenNull) this.wroteNull = true;
    if (key === '__proto__') {
      if (op === 'remove') Reflect.deleteProperty(container, key);
      else setKey(container as NodeObject, key, value as Node);
      return;
    }
    const path = `/${typeof key === 'number' ? key : jsonPatch.escapePathComponent(key)}`;
    const operation = op === 'remove' ? { op, path } : { op, path, value };
    jsonPatch.applyOperation<unknown>(container, operation, false, true, false);
  }

  /** The patched document as plain JSON. */
  finish(): Json {
    return this.wroteNull ? this.withoutWrittenNulls(this.root) : (this.root as Json);
  }

  /** What {@link finish} gave, with sorted members in the objects that operations went through. */
  sort(node: Json): Json {
    if (!isContainer(node) || !this.owned.has(node)) return node;
    if (Array.isArray(node)) return node.map((element) => this.sort(element as Json));
    const object: NodeObject = {};
    for (const key of Object.keys(node).sort(compareText)) {
      setKey(object, key, this.sort(node[key] as Json));
    }
    return object as Json;
  }

  // Only what was written to can hold a null that was.
  private withoutWrittenNulls(node: Node): Json {
    if (node === writtenNull) return null;
    if (!isContainer(node) || !this.owned.has(node)) return node as Json;
    const members = Array.isArray(node) ? node.keys() : Object.keys(node);
    for (const key of members) {
      setKey(
        node as NodeObject,
        String(key),
        this.withoutWrittenNulls(readMember(node, key) as Node),
      );
    }
    return node as Json;
  }

  private own(container: Container): Container {
    if (this.owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : copyObject(container);
    this.owned.add(copy);
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
