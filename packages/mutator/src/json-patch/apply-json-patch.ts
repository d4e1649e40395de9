import { type Expected, requireArgument, requireOptions, requireValue } from '@kubeadmit/base';
import { byteLength, formatJson } from '@kubeadmit/go';
import { applyOperation, TestFailed } from './apply-operation.ts';
import {
  type Container,
  isContainer,
  type Node,
  type NodeObject,
  PatchError,
  PatchedDocument,
  writtenNull,
} from './document.ts';
import type { Json, PatchOperation, PatchResult } from './operation.ts';

/** The number of JSON bytes that all copies of a patch may add (kube-apiserver's `JSONPatchMaxCopyBytes`). */
const mostCopiedBytes = 3 * 1024 * 1024;

/** How to apply a JSON patch. */
export interface JsonPatchOptions {
  /** Leaves members as they stand, where the server sorts those of objects that operations went through. */
  readonly keepOrder?: boolean;
}

const oneOperation: Expected = { what: 'operations with `op` and `path`' };

/**
 * Applies a JSON patch as kube-apiserver does (evanphx json-patch v4 with its defaults), with its messages. The
 * document is not modified.
 *
 * Either all operations take effect or none.
 *
 * @throws TypeError if the operations are invalid or an option is unknown
 */
export function applyJsonPatch(
  document: Json,
  operations: readonly PatchOperation[],
  options: JsonPatchOptions = {},
): PatchResult {
  requireValue('applyJsonPatch', operations, 'list', 'a list of operations');
  for (const operation of operations) requireArgument('applyJsonPatch', operation, oneOperation);
  requireOptions('applyJsonPatch', options, { keepOrder: 'boolean' });
  const { keepOrder = false } = options;
  const patched = new ServerDocument(document, { keepOrder });
  try {
    for (const operation of operations) {
      // Values are written with sorted members before they are read.
      patched.noteParsed(operation.value);
      applyOperation(patched, operation);
    }
    return { outcome: 'patched', document: patched.finish() };
  } catch (error) {
    if (error instanceof TestFailed) return { outcome: 'testFailed' };
    if (error instanceof PatchError) return { outcome: 'error', message: error.message };
    if (error instanceof LibraryPanic) return { outcome: 'panic' };
    throw error;
  }
}

/** Stands for a null that an operation wrote where a container is looked for; nothing can be added to it. */
const nullContainer: Container = {};

/** A document as kube-apiserver patches it. */
class ServerDocument extends PatchedDocument {
  #copiedBytes = 0;

  addRoot(): boolean {
    return false;
  }

  replaceRoot(value: Node): void {
    if (value === null) throw new LibraryPanic();
    if (value !== writtenNull && !isContainer(value)) {
      throw new PatchError('replace operation value must be object or array: %!w(<nil>)');
    }
    this.root = value === writtenNull ? null : value;
  }

  rootEquals(value: Json | undefined): boolean {
    if (value === undefined) throw new LibraryPanic();
    return equalNodes(this.root, value ?? writtenNull);
  }

  equals(node: Node | undefined, value: Json | undefined): boolean {
    if (node === undefined || node === null) return value === undefined;
    if (value === undefined || !equalNodes(node, value ?? writtenNull)) return false;
    this.noteParsed(node);
    return true;
  }

  override countCopied(copied: Node): void {
    this.#copiedBytes += byteLength(formatJson(copied));
    if (this.#copiedBytes > mostCopiedBytes) {
      throw new PatchError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${mostCopiedBytes}`,
      );
    }
  }

  protected override ownMember(container: Container, key: string): Container | undefined {
    const owned = super.ownMember(container, key);
    if (owned !== undefined) return owned;
    return this.get({ container, key }).node === writtenNull ? nullContainer : undefined;
  }

  protected requireWritable(container: Container): void {
    if (container === nullContainer) throw new LibraryPanic();
  }
}

/** Thrown where kube-apiserver's library dereferences nothing. */
class LibraryPanic extends Error {}

/**
 * Whether two nodes are equal for a `test` operation (evanphx json-patch v4, lazyNode.equal).
 *
 * Numbers are equal if their texts are. A null equals an empty object, and compared with a list an empty list.
 * Nulls inside the document equal only nulls as members of objects, and make the library panic in arrays.
 */
function equalNodes(a: Node, b: Node): boolean {
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
