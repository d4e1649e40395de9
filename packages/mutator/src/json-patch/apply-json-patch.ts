import {
  byteLength,
  type Expected,
  formatJson,
  requireArgument,
  requireOptions,
  requireValue,
} from '@kubeadmit/go/internal';
import { isContainer, type Node, PatchedDocument, writtenNull } from './document.ts';
import { existingIndex, insertionIndex } from './list-index.ts';
import { equalNodes, LibraryPanic } from './node-equality.ts';
import type { Json, PatchOperation, PatchResult, UnreadableText } from './operation.ts';
import { findTarget, isMissing, readTarget, type Target } from './pointer.ts';

class OperationError extends Error {}
class TestFailed extends Error {}

/** What all copies of a patch may add in bytes of JSON (kube-apiserver's `JSONPatchMaxCopyBytes`). */
const mostCopiedBytes = 3 * 1024 * 1024;

/** How to apply a JSON patch. */
export interface JsonPatchOptions {
  /** Leaves members as they stand, where the server sorts those of objects that operations went through. */
  readonly keepOrder?: boolean;
}

const oneOperation: Expected = { what: 'operations with `op` and `path`' };

/**
 * Applies a JSON patch as kube-apiserver does (evanphx json-patch v4 with its defaults), with its
 * texts; the given document stays as it is.
 *
 * Either all operations take effect or none.
 *
 * @throws TypeError for what are no operations, and for options that there are not
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
  const patched = new PatchedDocument(document, { keepOrder });
  try {
    for (const operation of operations) {
      // Values are written with sorted members before they are read.
      patched.noteParsed(operation.value);
      apply(patched, operation);
    }
    return { outcome: 'patched', document: patched.finish() };
  } catch (error) {
    if (error instanceof OperationError) return { outcome: 'error', message: error.message };
    if (error instanceof TestFailed) return { outcome: 'testFailed' };
    if (error instanceof LibraryPanic) return { outcome: 'panic' };
    throw error;
  }
}

type Applier = (document: PatchedDocument, operation: PatchOperation) => void;

const appliers: Readonly<Record<string, Applier>> = { add, remove, replace, move, test, copy };

function apply(document: PatchedDocument, operation: PatchOperation): void {
  const { op = 'unknown' } = operation;
  const applier = Object.hasOwn(appliers, op) ? appliers[op] : undefined;
  if (applier === undefined) throw new OperationError(`Unexpected kind: ${op}`);
  applier(document, operation);
}

const missing = 'missing value';

function add(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, () => `add operation failed to decode path: ${missing}`);
  const target = findTarget(document, path);
  if (target === undefined) {
    throw new OperationError(
      `add operation does not apply: doc is missing path: "${path}": ${missing}`,
    );
  }
  insert(document, target, valueNode(operation), `error in add for path: '${path}'`);
}

function remove(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, () => `remove operation failed to decode path: ${missing}`);
  const target = findTarget(document, path);
  if (target === undefined) {
    throw new OperationError(
      `remove operation does not apply: doc is missing path: "${path}": ${missing}`,
    );
  }
  takeOut(document, target, `error in remove for path: '${path}'`);
}

function replace(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, (why) => `replace operation failed to decode path: ${why}`);
  const value = valueNode(operation);
  if (path === '') {
    if (value === null) throw new LibraryPanic();
    if (value !== writtenNull && !isContainer(value)) {
      throw new OperationError('replace operation value must be object or array: %!w(<nil>)');
    }
    document.root = value === writtenNull ? null : value;
    return;
  }
  const target = findTarget(document, path);
  if (target === undefined) {
    throw new OperationError(
      `replace operation does not apply: doc is missing path: ${path}: ${missing}`,
    );
  }
  const { container, key } = target;
  if (target.isWrittenNull) throw new LibraryPanic();
  if (!Array.isArray(container)) {
    // A missing key is added.
    document.write(container, 'add', key, value);
    return;
  }
  const index = existingIndex(container, key);
  if ('error' in index) {
    throw new OperationError(
      `replace operation does not apply: doc is missing key: ${path}: ${missing}`,
    );
  }
  document.write(container, 'replace', index.index, value);
}

function move(document: PatchedDocument, operation: PatchOperation): void {
  const from = readFrom(operation);
  const source = findTarget(document, from);
  if (source === undefined) {
    throw new OperationError(
      `move operation does not apply: doc is missing from path: ${from}: ${missing}`,
    );
  }
  const prefix = `error in move for path: '${source.key}'`;
  const found = readTarget(source);
  if ('error' in found) throw new OperationError(`${prefix}: ${found.error}`);
  takeOut(document, source, prefix);
  const path = readText(operation.path, (why) => `move operation failed to decode path: ${why}`);
  const target = findTarget(document, path);
  if (target === undefined) {
    throw new OperationError(
      `move operation does not apply: doc is missing destination path: ${path}: ${missing}`,
    );
  }
  insert(document, target, found.node ?? null, `error in move for path: '${path}'`);
}

function copy(document: PatchedDocument, operation: PatchOperation): void {
  const from = readFrom(operation);
  const source = findTarget(document, from);
  if (source === undefined) {
    throw new OperationError(
      `copy operation does not apply: doc is missing from path: ${from}: ${missing}`,
    );
  }
  const found = readTarget(source);
  if ('error' in found) {
    throw new OperationError(`error in copy for from: '${from}': ${found.error}`);
  }
  const path = readText(operation.path, () => `copy operation failed to decode path: ${missing}`);
  const target = findTarget(document, path);
  if (target === undefined) {
    throw new OperationError(
      `copy operation does not apply: doc is missing destination path: ${path}: ${missing}`,
    );
  }
  // The way to the target may have led through what is copied.
  const parsed = readTarget(source);
  const node = 'error' in parsed ? found.node : parsed.node;
  const copied = document.copy(node);
  document.copiedBytes += byteLength(formatJson(copied));
  if (document.copiedBytes > mostCopiedBytes) {
    throw new OperationError(
      `Unable to complete the copy, the accumulated size increase of copy is ${document.copiedBytes}, exceeding the limit ${mostCopiedBytes}`,
    );
  }
  insert(document, target, copied, 'error while adding value during copy');
}

function test(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, (why) => `test operation failed to decode path: ${why}`);
  const expected = valueNode(operation);
  if (path === '') {
    if (operation.value === undefined) throw new LibraryPanic();
    if (!equalNodes(document.root, expected)) throw new TestFailed();
    return;
  }
  const target = findTarget(document, path);
  if (target === undefined) {
    throw new OperationError(`test operation does not apply: is missing path: ${path}: ${missing}`);
  }
  const found = readTarget(target);
  if ('error' in found) {
    throw new OperationError(`error in test for path: '${path}': ${found.error}`);
  }
  if (isMissing(found.node)) {
    if (operation.value !== undefined) throw new TestFailed();
    return;
  }
  if (operation.value === undefined || !equalNodes(found.node, expected)) throw new TestFailed();
  document.noteParsed(found.node);
}

function insert(document: PatchedDocument, target: Target, value: Node, prefix: string): void {
  const { container, key } = target;
  if (target.isWrittenNull) throw new LibraryPanic();
  if (!Array.isArray(container)) {
    document.write(container, 'add', key, value);
    return;
  }
  const index = insertionIndex(container, key);
  if ('error' in index) throw new OperationError(`${prefix}: ${index.error}`);
  document.write(container, 'add', index.index, value);
}

function takeOut(document: PatchedDocument, target: Target, prefix: string): void {
  const { container, key } = target;
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) {
      throw new OperationError(`${prefix}: Unable to remove nonexistent key: ${key}: ${missing}`);
    }
    document.write(container, 'remove', key);
    return;
  }
  const index = existingIndex(container, key);
  if ('error' in index) throw new OperationError(`${prefix}: ${index.error}`);
  document.write(container, 'remove', index.index);
}

function readFrom({ op, from }: PatchOperation): string {
  if (from === undefined) {
    throw new OperationError(
      `${op} operation failed to decode from: operation, missing from field: ${missing}`,
    );
  }
  return readText(from, (why) => `${op} operation failed to decode from: ${why}`);
}

function readText(text: string | UnreadableText, message: (why: string) => string): string {
  if (typeof text === 'string') return text;
  const why = `invalid character '${text.unreadable}' in string escape code`;
  throw new OperationError(message(why));
}

// An operation without a value writes a null like those of documents.
function valueNode({ value }: PatchOperation): Node {
  if (value === undefined) return null;
  return value === null ? writtenNull : value;
}
