import { missing, type Node, PatchError, type PatchedDocument, writtenNull } from './document.ts';
import type { PatchOperation, UnreadableText } from './operation.ts';

/** A `test` that does not hold. */
export class TestFailed extends PatchError {
  constructor(path: string) {
    super(`testing value ${path} failed: test failed`);
  }
}

type Applier = (document: PatchedDocument, operation: PatchOperation) => void;

const appliers: Readonly<Record<string, Applier>> = { add, remove, replace, move, test, copy };

/** Applies an operation to a document. Throws `PatchError` where it does not apply. */
export function applyOperation(document: PatchedDocument, operation: PatchOperation): void {
  const { op = 'unknown' } = operation;
  const applier = Object.hasOwn(appliers, op) ? appliers[op] : undefined;
  if (applier === undefined) fail(`Unexpected kind: ${op}`);
  applier(document, operation);
}

function fail(message: string): never {
  throw new PatchError(message);
}

function failMissing(message: string): never {
  fail(`${message}: ${missing}`);
}

function add(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, () => `add operation failed to decode path: ${missing}`);
  const value = valueNode(operation);
  if (path === '' && document.addRoot(value)) return;
  document.ensurePath(path);
  const target =
    document.find(path) ??
    failMissing(`add operation does not apply: doc is missing path: "${path}"`);
  document.insert(target, value, `error in add for path: '${path}'`);
}

function remove(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, () => `remove operation failed to decode path: ${missing}`);
  const target = document.find(path);
  if (target !== undefined) document.take(target, `error in remove for path: '${path}'`);
  else if (!document.allowsMissingPathOnRemove) {
    failMissing(`remove operation does not apply: doc is missing path: "${path}"`);
  }
}

function replace(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, (why) => `replace operation failed to decode path: ${why}`);
  const value = valueNode(operation);
  if (path === '') {
    document.replaceRoot(value);
    return;
  }
  const target =
    document.find(path) ??
    failMissing(`replace operation does not apply: doc is missing path: ${path}`);
  if (document.get(target).error !== undefined) {
    failMissing(`replace operation does not apply: doc is missing key: ${path}`);
  }
  document.set(target, value, `error in remove for path: '${path}'`);
}

function move(document: PatchedDocument, operation: PatchOperation): void {
  const from = readFrom(operation);
  const source =
    document.find(from) ??
    failMissing(`move operation does not apply: doc is missing from path: ${from}`);
  const prefix = `error in move for path: '${source.key}'`;
  const { node = null, error } = document.get(source);
  if (error !== undefined) fail(`${prefix}: ${error}`);
  document.take(source, prefix);
  const path = readText(operation.path, (why) => `move operation failed to decode path: ${why}`);
  const target =
    document.find(path) ??
    failMissing(`move operation does not apply: doc is missing destination path: ${path}`);
  document.insert(target, node, `error in move for path: '${path}'`);
}

function copy(document: PatchedDocument, operation: PatchOperation): void {
  const from = readFrom(operation);
  const source =
    document.find(from) ??
    failMissing(
      `copy operation does not apply: doc is missing from path: ${document.nameSource(from)}`,
    );
  const { error } = document.get(source);
  if (error !== undefined) fail(`error in copy for from: '${from}': ${error}`);
  const path = readText(operation.path, () => `copy operation failed to decode path: ${missing}`);
  const target =
    document.find(path) ??
    failMissing(`copy operation does not apply: doc is missing destination path: ${path}`);
  // The path to the target may lead through the copied value.
  const copied = document.copy(document.get(source).node);
  document.countCopied(copied);
  document.insert(target, copied, 'error while adding value during copy');
}

function test(document: PatchedDocument, operation: PatchOperation): void {
  const path = readText(operation.path, (why) => `test operation failed to decode path: ${why}`);
  if (path === '') {
    if (!document.rootEquals(operation.value)) throw new TestFailed(path);
    return;
  }
  const target =
    document.find(path) ?? failMissing(`test operation does not apply: is missing path: ${path}`);
  const { node, error } = document.get(target);
  // A key that is not there has no value.
  if (error !== undefined && !error.endsWith(missing)) {
    fail(`error in test for path: '${path}': ${error}`);
  }
  if (!document.equals(node, operation.value, target)) throw new TestFailed(path);
}

function readFrom({ op, from }: PatchOperation): string {
  if (from === undefined) {
    failMissing(`${op} operation failed to decode from: operation, missing from field`);
  }
  return readText(from, (why) => `${op} operation failed to decode from: ${why}`);
}

function readText(text: string | UnreadableText, message: (why: string) => string): string {
  if (typeof text === 'string') return text;
  fail(message(`invalid character '${text.unreadable}' in string escape code`));
}

/** An operation without a value writes a null like those of documents. */
function valueNode({ value }: PatchOperation): Node {
  if (value === undefined) return null;
  return value === null ? writtenNull : value;
}
