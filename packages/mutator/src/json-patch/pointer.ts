import { quote } from '@kubeadmit/go/internal';
import {
  type Container,
  type Node,
  type PatchedDocument,
  readMember,
  writtenNull,
} from './document.ts';

/** Where a pointer leads: a container, perhaps one that an operation set to null, and a key. */
export interface Target {
  readonly container: Container;
  readonly key: string;
  /** The container is a null that an operation wrote; nothing can be added to it. */
  readonly isWrittenNull: boolean;
}

/** An index into an array, or what is wrong with it. */
export type Index = { readonly index: number } | { readonly error: string };

/**
 * Follows a pointer to the container of its last segment (evanphx json-patch v4, findObject);
 * `undefined` when something on the way is missing.
 *
 * The first segment counts for nothing, also when it is not empty.
 */
export function findTarget(document: PatchedDocument, path: string): Target | undefined {
  let start = path.indexOf('/');
  if (start < 0) return undefined;
  let container = document.ownRoot();
  if (container === undefined) return undefined;
  let end = path.indexOf('/', start + 1);
  while (end >= 0) {
    const key = memberKey(container, decodeSegment(path.slice(start + 1, end)));
    if (key === undefined) return undefined;
    start = end;
    end = path.indexOf('/', start + 1);
    if (readMember(container, key) === writtenNull) {
      if (end >= 0) return undefined;
      return { container: {}, key: decodeSegment(path.slice(start + 1)), isWrittenNull: true };
    }
    const next: Container | undefined = document.ownMember(container, key);
    if (next === undefined) return undefined;
    container = next;
  }
  return { container, key: decodeSegment(path.slice(start + 1)), isWrittenNull: false };
}

function memberKey(container: Container, segment: string): string | number | undefined {
  if (!Array.isArray(container)) return segment;
  const index = existingIndex(container, segment);
  return 'error' in index ? undefined : index.index;
}

function decodeSegment(segment: string): string {
  let decoded = '';
  let start = 0;
  for (let at = segment.indexOf('~'); at >= 0; at = segment.indexOf('~', at + 1)) {
    const escaped = segment[at + 1];
    if (escaped !== '0' && escaped !== '1') continue;
    decoded += segment.slice(start, at) + (escaped === '1' ? '/' : '~');
    start = at + 2;
  }
  return start === 0 ? segment : decoded + segment.slice(start);
}

/** The index of an existing element; negative ones count from the end. */
export function existingIndex(array: readonly Node[], segment: string): Index {
  const parsed = parseIndex(segment);
  if ('error' in parsed) return parsed;
  const { index } = parsed;
  if (typeof index === 'bigint' || index >= array.length || index < -array.length) {
    return invalidIndex(index);
  }
  return { index: index < 0 ? index + array.length : index };
}

/** The index at which an element is inserted; `-` and -1 stand for the end. */
export function insertionIndex(array: readonly Node[], segment: string): Index {
  if (segment === '-') return { index: array.length };
  const parsed = parseIndex(segment);
  if ('error' in parsed) {
    return { error: `value was not a proper array index: '${segment}': ${parsed.error}` };
  }
  const { index } = parsed;
  const size = array.length + 1;
  if (typeof index === 'bigint' || index >= size || index < -size) return invalidIndex(index);
  return { index: index < 0 ? index + size : index };
}

function invalidIndex(index: number | bigint): { readonly error: string } {
  return { error: `Unable to access invalid index: ${index}: invalid index referenced` };
}

function parseIndex(
  segment: string,
): { readonly index: number | bigint } | { readonly error: string } {
  if (!/^[+-]?[0-9]+$/.test(segment)) {
    return { error: `strconv.Atoi: parsing ${quote(segment)}: invalid syntax` };
  }
  const number = Number(segment);
  if (Number.isSafeInteger(number)) return { index: number };
  const exact = BigInt(segment.replace(/^\+/, ''));
  if (BigInt.asIntN(64, exact) !== exact) {
    return { error: `strconv.Atoi: parsing ${quote(segment)}: value out of range` };
  }
  // Such indexes are out of every array, and only told of.
  return { index: exact };
}

/** Reads what a target names: a node, nothing, or what is wrong with an index. */
export function readTarget(
  target: Target,
): { readonly node: Node | undefined } | { readonly error: string } {
  if (!Array.isArray(target.container)) return { node: readMember(target.container, target.key) };
  const index = existingIndex(target.container, target.key);
  return 'error' in index ? index : { node: target.container[index.index] };
}

/** Whether a node counts as missing: it is, or the document has null there. */
export function isMissing(node: Node | undefined): node is null | undefined {
  return node === undefined || node === null;
}
