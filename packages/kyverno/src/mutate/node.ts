import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { sortedKeys } from '@kubeadmit/go';

/** A scalar of a merged document: its text, and the type of the text as a plain scalar. */
export interface ScalarNode {
  readonly kind: 'scalar';
  text: string;
  type: 'string' | 'integer' | 'float' | 'boolean' | 'null';
  /** Whether the text is in quotes, which makes a string of anything. */
  isQuoted: boolean;
  /** Whether a null is to be written and not to clear its place. */
  keepsNull?: boolean;
}

/** A member of a map; its key may change in place. */
export interface Entry {
  key: string;
  value: Node;
}

/** A map of a document that is merged. */
export interface MapNode {
  readonly kind: 'map';
  entries: Entry[];
}

/** A list of a document that is merged. */
export interface ListNode {
  readonly kind: 'list';
  items: Node[];
}

/** A value of a document that is merged, to be changed in place. */
export type Node = ScalarNode | MapNode | ListNode;

/** The node that a JSON value is; members in the order of their keys. */
export function toNode(value: unknown): Node {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toNode) };
  if (isObject(value)) {
    const entries = sortedKeys(value).map((key) => ({ key, value: toNode(value[key]) }));
    return { kind: 'map', entries };
  }
  return scalarOf(value);
}

function scalarOf(value: unknown): ScalarNode {
  switch (typeof value) {
    case 'string':
      return { kind: 'scalar', text: value, type: 'string', isQuoted: true };
    case 'boolean':
      return { kind: 'scalar', text: String(value), type: 'boolean', isQuoted: false };
    case 'bigint':
      return { kind: 'scalar', text: String(value), type: 'integer', isQuoted: false };
    case 'number': {
      const type = Number.isInteger(value) && Math.abs(value) < 1e21 ? 'integer' : 'float';
      return { kind: 'scalar', text: String(value), type, isQuoted: false };
    }
    default:
      return { kind: 'scalar', text: 'null', type: 'null', isQuoted: false };
  }
}

/** The JSON value of a node, integers as bigint. */
export function fromNode(node: Node): unknown {
  if (node.kind === 'list') return node.items.map(fromNode);
  if (node.kind === 'map') {
    const object: JsonObject = {};
    for (const { key, value } of node.entries) setKey(object, key, fromNode(value));
    return object;
  }
  if (node.isQuoted || node.type === 'string') return node.text;
  switch (node.type) {
    case 'integer':
      return BigInt(node.text);
    case 'float':
      return Number(node.text);
    case 'boolean':
      return node.text === 'true';
    default:
      return null;
  }
}

/** A node with nothing in common with another one. */
export function copyNode<T extends Node>(node: T): T;
export function copyNode(node: Node): Node {
  if (node.kind === 'list')
    return { kind: 'list', items: node.items.map((item) => copyNode(item)) };
  if (node.kind === 'scalar') return { ...node };
  const entries = node.entries.map(({ key, value }) => ({ key, value: copyNode(value) }));
  return { kind: 'map', entries };
}

/** A scalar as YAML reads its plain text. */
export function plainScalar(text: string): ScalarNode {
  const type = /^[-+]?\d+$/.test(text)
    ? 'integer'
    : /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)
      ? 'float'
      : /^(?:true|false)$/.test(text)
        ? 'boolean'
        : 'string';
  return { kind: 'scalar', text, type, isQuoted: false };
}

/** Returns a member of a map, or `undefined` if it does not exist or the node is not a map. */
export function fieldOf(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.key === key)?.value : undefined;
}

/** Takes the members with a key out of a map. */
export function clearField(node: MapNode, key: string): void {
  node.entries = node.entries.filter((entry) => entry.key !== key);
}

/** Whether a node is missing or null. */
export function isNothing(node: Node | undefined): node is undefined {
  return node === undefined || isNull(node);
}

/** Whether a node is an explicit null. */
export function isNull(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.type === 'null' && !node.isQuoted;
}

/** The text that identifies an item in a list; maps and lists have none. */
export function textOfNode(node: Node): string {
  return node.kind === 'scalar' ? node.text : '';
}

/** Whether a value stays in a map. */
export function stays(value: Node | undefined): value is Node {
  if (value === undefined) return false;
  return !isNull(value) || (value.kind === 'scalar' && value.keepsNull === true);
}

/** Replaces the value of a member; a scalar that was in quotes keeps them. */
export function replaceValue(entry: Entry, value: Node): void {
  if (value.kind === 'scalar' && entry.value.kind === 'scalar') {
    value.isQuoted = entry.value.isQuoted;
  }
  entry.value = value;
}

/** Sets a member of a map, or takes it out if the value does not stay. */
export function setField(node: MapNode, key: string, value: Node | undefined): void {
  if (!stays(value)) {
    clearField(node, key);
    return;
  }
  const entry = node.entries.find((candidate) => candidate.key === key);
  if (entry === undefined) node.entries.push({ key, value });
  else replaceValue(entry, value);
}
