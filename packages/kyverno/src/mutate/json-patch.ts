import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/internal';
import { formatJson, quote } from '@kubeadmit/go';
import { deepEqual, jsonTypeOf, memoize, readJson, setKey } from '@kubeadmit/go/internal';
import { Failure } from '../jmespath/failure.ts';
import { readYaml } from '../yaml/yaml-reader.ts';

/** A patch that does not apply; the message is evanphx/json-patch's. Never leaves this file. */
class PatchError extends Error {}

type Container = JsonObject | unknown[];
type Operation = Readonly<JsonObject>;

const missing = 'missing value';
/** How far a list may be filled up with nulls. */
const longestPadding = 10_000;

/**
 * An object, or null, with the JSON patch of a policy applied, or a `Failure`.
 *
 * As Kyverno: the patch is YAML unless it begins with `[`; negative indices count from the end, a missing path is
 * no error for `remove`, and `add` makes what is missing on the way.
 */
export function applyJsonPatch(object: JsonObject | null, patch: string): unknown {
  const operations = readPatch(patch);
  if (operations instanceof Failure) return operations;
  let document = object === null ? nothing({}) : newDocument(copyJson(object));
  try {
    for (const operation of operations) document = apply(document, operation);
    withoutMadeNulls(document);
  } catch (problem) {
    if (problem instanceof PatchError) return new Failure(problem.message);
    throw problem;
  }
  if (!nothings.has(document)) return document;
  if (Array.isArray(document)) return document.length === 0 ? null : document;
  const reason = 'json: error calling MarshalJSON for type *jsonpatch.partialDoc';
  return operations.length === 0 ? null : new Failure(`${reason}: invalid value, expected object`);
}

/** The operations of a patch; reading YAML takes longer than all else, so they are remembered. */
const readPatch = memoize(readNewPatch, 16_384, 1000);

function readNewPatch(patch: string): readonly Operation[] | Failure {
  const isJson = patch.startsWith('[');
  const reading = isJson ? readJson(patch) : readYaml(patch);
  if ('error' in reading) {
    return new Failure(
      isJson
        ? 'failed to decode patches: invalid state detected'
        : `failed to convert patchesJSON6902 to JSON: ${reading.error}`,
    );
  }
  const operations = decodePatch(reading.value);
  return operations instanceof Failure
    ? new Failure(`failed to decode patches: ${operations.message}`)
    : operations;
}

/** The operations of a JSON patch, or the `Failure` that it is none. */
export function decodePatch(value: unknown): readonly Operation[] | Failure {
  if (value === null) return [];
  const wrongType = (found: unknown, type: string): Failure =>
    new Failure(`json: cannot unmarshal ${jsonTypeOf(found)} into Go value of type ${type}`);
  if (!Array.isArray(value)) return wrongType(value, 'jsonpatch.Patch');
  const wrong = value.find((item) => !isObject(item) && item !== null);
  if (wrong !== undefined) return wrongType(wrong, 'jsonpatch.Operation');
  const operations = value.map((item): Operation => (isObject(item) ? item : {}));
  for (const operation of operations) {
    const problem = operationProblem(operation);
    if (problem !== undefined) {
      const text = formatJson(operation, { isSorted: true });
      return new Failure(`invalid operation ${text}: ${problem}`);
    }
  }
  return operations;
}

function operationProblem(operation: Operation): string | undefined {
  switch (operation['op']) {
    case 'add':
    case 'replace':
      if (!Object.hasOwn(operation, 'value')) {
        return `failed to decode 'value': operation, missing value field: ${missing}`;
      }
      break;
    case 'move':
    case 'copy':
      if (typeof operation['from'] !== 'string') {
        return `failed to decode 'from': operation, missing from field: ${missing}`;
      }
      break;
    case 'remove':
    case 'test':
      break;
    default:
      return 'unsupported operation';
  }
  if (typeof operation['path'] === 'string') return undefined;
  return `failed to decode 'path': operation missing path field: ${missing}`;
}

function apply(document: Container, operation: Operation): Container {
  const path = String(operation['path']);
  const from = String(operation['from']);
  const value = copyJson(operation['value'] ?? null);
  switch (operation['op']) {
    case 'add':
      return add(document, path, value);
    case 'remove':
      remove(document, path);
      return document;
    case 'replace':
      return replace(document, path, value);
    case 'move':
      move(document, from, path);
      return document;
    case 'copy':
      copy(document, from, path);
      return document;
    default:
      test(document, path, value);
      return document;
  }
}

function add(document: Container, path: string, value: unknown): Container {
  if (path === '') return newDocument(value);
  ensurePath(document, path);
  const [container, key] = find(document, path);
  if (container === undefined) {
    throw new PatchError(
      `add operation does not apply: doc is missing path: "${path}": ${missing}`,
    );
  }
  wrapped(`error in add for path: '${path}'`, () => insert(container, key, value ?? madeNull));
  return document;
}

/** The value that takes the place of the whole document; null makes one that is no object. */
function newDocument(value: unknown): Container {
  if (Array.isArray(value) || isObject(value)) {
    selves.set(value, copyJson(value));
    return value;
  }
  if (value === null) return nothing({});
  throw new PatchError(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]*jsonpatch.lazyNode`,
  );
}

/**
 * Documents as they were before anything was changed in them: what the empty key gives. Containers within have none.
 */
const selves = new WeakMap<object, unknown>();

/**
 * A null that an operation made, while the patch is applied: other than one of the object, it is not made a container
 * on the way to a path.
 */
const madeNull: unique symbol = Symbol('null');

/** Puts null in the place of those that operations made. */
function withoutMadeNulls(container: unknown): void {
  if (typeof container !== 'object' || container === null) return;
  const holder = container as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    if (holder[key] === madeNull) holder[key] = null;
    else withoutMadeNulls(holder[key]);
  }
}

/** Documents that are null: one that was so or became so by `add` is no object, one that `replace` made a list of none. */
const nothings = new WeakSet<object>();

function nothing(document: Container): Container {
  nothings.add(document);
  return document;
}

function requireObject(container: Container): void {
  if (!Array.isArray(container) && nothings.has(container)) {
    throw new PatchError('invalid value, expected object');
  }
}

function asContainer(value: unknown): Container {
  if (Array.isArray(value) || isObject(value)) return value;
  throw new PatchError('replace operation value must be object or array: %!w(<nil>)');
}

function remove(document: Container, path: string): void {
  const [container, key] = find(document, path);
  if (container === undefined) return;
  wrapped(`error in remove for path: '${path}'`, () => take(container, key));
}

function replace(document: Container, path: string, value: unknown): Container {
  if (path === '') return value === null ? nothing([]) : newDocument(asContainer(value));
  const [container, key] = find(document, path);
  if (container === undefined) {
    throw new PatchError(
      `replace operation does not apply: doc is missing path: ${path}: ${missing}`,
    );
  }
  if (get(container, key) instanceof PatchError) {
    throw new PatchError(
      `replace operation does not apply: doc is missing key: ${path}: ${missing}`,
    );
  }
  wrapped(`error in remove for path: '${path}'`, () => {
    requireObject(container);
    if (Array.isArray(container)) container[placeOf(container, toIndex(key))] = value ?? madeNull;
    else setKey(container, key, value ?? madeNull);
  });
  return document;
}

function move(document: Container, from: string, path: string): void {
  if (from === '') {
    throw new PatchError('unable to move entire document to another path: invalid state detected');
  }
  const [source, key] = find(document, from);
  if (source === undefined) {
    throw new PatchError(
      `move operation does not apply: doc is missing from path: ${from}: ${missing}`,
    );
  }
  const value = get(source, key);
  if (value instanceof PatchError)
    throw new PatchError(`error in move for path: '${key}': ${value.message}`);
  wrapped(`error in move for path: '${key}'`, () => take(source, key));
  const [target, targetKey] = find(document, path);
  if (target === undefined) {
    throw new PatchError(
      `move operation does not apply: doc is missing destination path: ${path}: ${missing}`,
    );
  }
  // Nothing may hold itself.
  const moved = holds(value, target) ? copyJson(value) : value;
  wrapped(`error in move for path: '${path}'`, () => insert(target, targetKey, moved));
}

function holds(value: unknown, container: Container): boolean {
  if (value === container) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holds(inner, container));
}

function copy(document: Container, from: string, path: string): void {
  const [source, key] = find(document, from);
  if (source === undefined) {
    throw new PatchError(
      `copy operation does not apply: doc is missing from path: "${from}": ${missing}`,
    );
  }
  const value = get(source, key);
  if (value instanceof PatchError) {
    throw new PatchError(`error in copy for from: '${from}': ${value.message}`);
  }
  const [target, targetKey] = find(document, path);
  if (target === undefined) {
    throw new PatchError(
      `copy operation does not apply: doc is missing destination path: ${path}: ${missing}`,
    );
  }
  wrapped('error while adding value during copy', () => insert(target, targetKey, copyJson(value)));
}

function test(document: Container, path: string, value: unknown): void {
  const failed = new PatchError(`testing value ${path} failed: test failed`);
  if (path === '') {
    if (!deepEqual(document, value)) throw failed;
    return;
  }
  const [container, key] = find(document, path);
  if (container === undefined) {
    throw new PatchError(`test operation does not apply: is missing path: ${path}: ${missing}`);
  }
  const found = get(container, key);
  if (found instanceof PatchError && !found.message.endsWith(missing)) {
    throw new PatchError(`error in test for path: '${path}': ${found.message}`);
  }
  if (!deepEqual(found instanceof PatchError || found === madeNull ? null : found, value)) {
    throw failed;
  }
}

function wrapped(context: string, change: () => void): void {
  try {
    change();
  } catch (problem) {
    if (problem instanceof PatchError) throw new PatchError(`${context}: ${problem.message}`);
    throw problem;
  }
}

function decodeKey(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The container that a path ends in, and the key in it. */
function find(document: Container, path: string): readonly [Container | undefined, string] {
  const parts = path.split('/');
  if (parts.length < 2) return [path === '' ? document : undefined, ''];
  let container: Container = document;
  for (const part of parts.slice(1, -1)) {
    const next = get(container, decodeKey(part));
    if (!Array.isArray(next) && !isObject(next)) return [undefined, ''];
    container = next;
  }
  return [container, decodeKey(parts.at(-1) ?? '')];
}

function toIndex(key: string): number {
  if (/^[+-]?\d+$/.test(key)) return Number(key);
  throw new PatchError(`strconv.Atoi: parsing ${quote(key)}: invalid syntax`);
}

function invalidIndex(index: number): PatchError {
  return new PatchError(`Unable to access invalid index: ${index}: invalid index referenced`);
}

function placeOf(list: readonly unknown[], index: number): number {
  const place = index < 0 ? index + list.length : index;
  if (place < 0 || place >= list.length) throw invalidIndex(index);
  return place;
}

/** The value at a key, for the empty one the document as it was before, or the error that there is none. */
function get(container: Container, key: string): unknown {
  if (key === '') return selves.get(container) ?? null;
  try {
    requireObject(container);
    if (Array.isArray(container)) return container[placeOf(container, toIndex(key))];
  } catch (problem) {
    return problem;
  }
  if (Object.hasOwn(container as JsonObject, key)) return (container as JsonObject)[key];
  return new PatchError(`unable to get nonexistent key: ${key}: ${missing}`);
}

function insert(container: Container, key: string, value: unknown): void {
  requireObject(container);
  if (!Array.isArray(container)) {
    setKey(container, key, value);
    return;
  }
  if (key === '-') {
    container.push(value);
    return;
  }
  if (!/^[+-]?\d+$/.test(key)) {
    throw new PatchError(
      `value was not a proper array index: '${key}': strconv.Atoi: parsing ${quote(key)}: invalid syntax`,
    );
  }
  const index = Number(key);
  const size = container.length + 1;
  if (index >= size || index < -size) throw invalidIndex(index);
  container.splice(index < 0 ? index + size : index, 0, value);
}

function take(container: Container, key: string): void {
  requireObject(container);
  if (!Array.isArray(container)) {
    delete container[key];
    return;
  }
  const index = toIndex(key);
  if (index >= container.length || index < -container.length) return;
  container.splice(index, 1);
}

/** Makes the maps and lists on the way to a path, as far as they are missing or null. */
function ensurePath(document: Container, path: string): void {
  let container: Container = document;
  const parts = path.split('/').slice(1);
  for (const [at, part] of parts.slice(0, -1).entries()) {
    const target = get(container, decodeKey(part));
    const isMissing = target === null || target === undefined || target instanceof PatchError;
    if (isMissing) {
      container = makeContainer(container, part, parts[at + 1] ?? '');
    } else if (Array.isArray(target) || isObject(target)) {
      container = target;
    } else {
      throw new PatchError('invalid state detected');
    }
  }
}

function makeContainer(container: Container, part: string, next: string): Container {
  if (Array.isArray(container) && /^[+-]?\d+$/.test(part)) padTo(container, Number(part));
  const made = containerFor(next);
  try {
    insert(container, part, made);
  } catch (problem) {
    if (!(problem instanceof PatchError)) throw problem;
  }
  return made;
}

function containerFor(next: string): Container {
  const isIndex = /^[+-]?\d+$/.test(next);
  if (!isIndex && next !== '-') return {};
  const index = isIndex ? Number(next) : 0;
  if (index < -1) {
    throw new PatchError(
      `Unable to ensure path for negative index other than -1: ${index}: invalid index referenced`,
    );
  }
  const list: unknown[] = [];
  padTo(list, index);
  return list;
}

function padTo(list: unknown[], length: number): void {
  if (length > longestPadding) throw invalidIndex(length);
  while (list.length < length) list.push(madeNull);
}
