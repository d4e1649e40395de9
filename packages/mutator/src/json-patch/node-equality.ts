import { isContainer, type Node, type NodeObject, writtenNull } from './document.ts';

/** Thrown where kube-apiserver's library dereferences nothing. */
export class LibraryPanic extends Error {}

/**
 * Whether two nodes are equal for a `test` operation (evanphx json-patch v4, lazyNode.equal).
 *
 * Numbers are equal if their texts are. A null equals an empty object, and compared with a list an empty list.
 * Nulls inside the document equal only nulls as members of objects, and make the library panic in arrays.
 */
export function equalNodes(a: Node, b: Node): boolean {
  if (a === null || b === null) throw new LibraryPanic();
  const left = a === writtenNull ? {} : a;
  const right = b === writtenNull ? (Array.isArray(left) ? [] : {}) : b;
  if (!isContainer(left)) return !isContainer(right) && scalarText(left) === scalarText(right);
  if (!isContainer(right)) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((node, i) => equalNodes(node, right[i] as Node));
  }
  return !Array.isArray(right) && equalObjects(left, right);
}

function equalObjects(left: NodeObject, right: NodeObject): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(right, key)) return false;
    const a = left[key] as Node;
    const b = right[key] as Node;
    if (a === null || b === null) return a === b;
    return equalNodes(a, b);
  });
}

function scalarText(scalar: unknown): string {
  if (typeof scalar === 'string') return `"${scalar}`;
  // Wrappers of integral doubles print as the integers that they are in JSON.
  return String(scalar);
}
