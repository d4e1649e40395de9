import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/internal';
import {
  deepEqual,
  jsonTypeOf,
  lazily,
  setKey,
  unescapePointerSegment,
} from '@kubeadmit/go/internal';
import {
  existingIndex,
  insertionIndex,
  invalidIndex,
  parseIndex,
} from '@kubeadmit/mutator/internal';

/** A patch that does not apply; the message is evanphx/json-patch's. */
export class PatchError extends Error {}

/** An operation of a patch. */
export type Operation = Readonly<JsonObject>;

type Container = JsonObject | unknown[];

/** What evanphx/json-patch says of what is not there. */
export const missing = 'missing value';
/** How far a list may be filled up with nulls. */
const longestPadding = 10_000;

/** An object or list while the operations of a patch change it, as evanphx/json-patch holds it. */
export class PatchedDocument {
  #root: Container;
  /** Whether the whole is null: one that was so or became so by `add` is no object, one that `replace` made a list of none. */
  #isNothing: boolean;
  /** What the document was made of, as it was then: what the empty key gives. Containers within have none. */
  #before: () => unknown;

  constructor(object: JsonObject | null) {
    this.#root = object === null ? {} : copyJson(object);
    this.#isNothing = object === null;
    this.#before = lazily(() => copyJson(object));
  }

  /** What became of it; throws for what cannot be written. */
  result(isUnchanged: boolean): unknown {
    withoutMadeNulls(this.#root);
    if (!this.#isNothing) return this.#root;
    if (Array.isArray(this.#root)) return this.#root.length === 0 ? null : this.#root;
    if (isUnchanged) return null;
    const reason = 'json: error calling MarshalJSON for type *jsonpatch.partialDoc';
    throw new PatchError(`${reason}: invalid value, expected object`);
  }

  /** Applies an operation; throws where it does not apply. */
  apply(operation: Operation): void {
    const path = String(operation['path']);
    const from = String(operation['from']);
    const value = copyJson(operation['value'] ?? null);
    switch (operation['op']) {
      case 'add':
        this.#add(path, value);
        break;
      case 'remove':
        this.#remove(path);
        break;
      case 'replace':
        this.#replace(path, value);
        break;
      case 'move':
        this.#move(from, path);
        break;
      case 'copy':
        this.#copy(from, path);
        break;
      default:
        this.#test(path, value);
    }
  }

  /** Puts a value in the place of the whole document; null makes one that is no object. */
  #become(value: unknown, nothing: Container): void {
    if (value !== null && !Array.isArray(value) && !isObject(value)) {
      throw new PatchError(
        `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]*jsonpatch.lazyNode`,
      );
    }
    this.#root = value ?? nothing;
    this.#isNothing = value === null;
    const before = copyJson(value);
    this.#before = () => before;
  }

  #add(path: string, value: unknown): void {
    if (path === '') {
      this.#become(value, {});
      return;
    }
    this.#ensurePath(path);
    const [container, key] = this.#find(path);
    if (container === undefined) {
      throw new PatchError(
        `add operation does not apply: doc is missing path: "${path}": ${missing}`,
      );
    }
    wrapped(`error in add for path: '${path}'`, () =>
      this.#insert(container, key, value ?? madeNull),
    );
  }

  #remove(path: string): void {
    const [container, key] = this.#find(path);
    if (container === undefined) return;
    wrapped(`error in remove for path: '${path}'`, () => this.#take(container, key));
  }

  #replace(path: string, value: unknown): void {
    if (path === '') {
      this.#become(asContainer(value), []);
      return;
    }
    const [container, key] = this.#find(path);
    if (container === undefined) {
      throw new PatchError(
        `replace operation does not apply: doc is missing path: ${path}: ${missing}`,
      );
    }
    if (this.#get(container, key) instanceof PatchError) {
      throw new PatchError(
        `replace operation does not apply: doc is missing key: ${path}: ${missing}`,
      );
    }
    wrapped(`error in remove for path: '${path}'`, () => {
      this.#requireObject(container);
      if (Array.isArray(container)) container[placeOf(container, key)] = value ?? madeNull;
      else setKey(container, key, value ?? madeNull);
    });
  }

  #move(from: string, path: string): void {
    if (from === '') {
      throw new PatchError(
        'unable to move entire document to another path: invalid state detected',
      );
    }
    const [source, key] = this.#find(from);
    if (source === undefined) {
      throw new PatchError(
        `move operation does not apply: doc is missing from path: ${from}: ${missing}`,
      );
    }
    const value = this.#get(source, key);
    if (value instanceof PatchError)
      throw new PatchError(`error in move for path: '${key}': ${value.message}`);
    wrapped(`error in move for path: '${key}'`, () => this.#take(source, key));
    const [target, targetKey] = this.#find(path);
    if (target === undefined) {
      throw new PatchError(
        `move operation does not apply: doc is missing destination path: ${path}: ${missing}`,
      );
    }
    // Nothing may hold itself.
    const moved = holds(value, target) ? copyJson(value) : value;
    wrapped(`error in move for path: '${path}'`, () => this.#insert(target, targetKey, moved));
  }

  #copy(from: string, path: string): void {
    const [source, key] = this.#find(from);
    if (source === undefined) {
      throw new PatchError(
        `copy operation does not apply: doc is missing from path: "${from}": ${missing}`,
      );
    }
    const value = this.#get(source, key);
    if (value instanceof PatchError) {
      throw new PatchError(`error in copy for from: '${from}': ${value.message}`);
    }
    const [target, targetKey] = this.#find(path);
    if (target === undefined) {
      throw new PatchError(
        `copy operation does not apply: doc is missing destination path: ${path}: ${missing}`,
      );
    }
    wrapped('error while adding value during copy', () =>
      this.#insert(target, targetKey, copyJson(value)),
    );
  }

  #test(path: string, value: unknown): void {
    const failed = new PatchError(`testing value ${path} failed: test failed`);
    if (path === '') {
      if (!deepEqual(this.#root, value)) throw failed;
      return;
    }
    const [container, key] = this.#find(path);
    if (container === undefined) {
      throw new PatchError(`test operation does not apply: is missing path: ${path}: ${missing}`);
    }
    const found = this.#get(container, key);
    if (found instanceof PatchError && !found.message.endsWith(missing)) {
      throw new PatchError(`error in test for path: '${path}': ${found.message}`);
    }
    // A document that is null has itself at the empty key, and nothing equals that.
    if (key === '' && container === this.#root && this.#isNothing) throw failed;
    if (!deepEqual(found instanceof PatchError || found === madeNull ? null : found, value)) {
      throw failed;
    }
  }

  /** The container that a path ends in, and the key in it. */
  #find(path: string): readonly [Container | undefined, string] {
    const parts = path.split('/');
    if (parts.length < 2) return [path === '' ? this.#root : undefined, ''];
    let container = this.#root;
    for (const part of parts.slice(1, -1)) {
      const next = this.#get(container, unescapePointerSegment(part));
      if (!Array.isArray(next) && !isObject(next)) return [undefined, ''];
      container = next;
    }
    return [container, unescapePointerSegment(parts.at(-1) ?? '')];
  }

  /** The value at a key, for the empty one the document as it was before, or the error that there is none. */
  #get(container: Container, key: string): unknown {
    if (key === '') return container === this.#root ? this.#before() : null;
    try {
      this.#requireObject(container);
      if (Array.isArray(container)) return container[placeOf(container, key)];
    } catch (problem) {
      return problem;
    }
    if (Object.hasOwn(container as JsonObject, key)) return (container as JsonObject)[key];
    return new PatchError(`unable to get nonexistent key: ${key}: ${missing}`);
  }

  #insert(container: Container, key: string, value: unknown): void {
    this.#requireObject(container);
    if (!Array.isArray(container)) {
      setKey(container, key, value);
      return;
    }
    container.splice(orPatchError(insertionIndex(container, key)), 0, value);
  }

  #take(container: Container, key: string): void {
    this.#requireObject(container);
    if (!Array.isArray(container)) {
      delete container[key];
      return;
    }
    const index = orPatchError(parseIndex(key));
    if (index >= container.length || index < -container.length) return;
    container.splice(Number(index), 1);
  }

  #requireObject(container: Container): void {
    if (this.#isNothing && container === this.#root && !Array.isArray(container)) {
      throw new PatchError('invalid value, expected object');
    }
  }

  /** Makes the maps and lists on the way to a path, as far as they are missing or null. */
  #ensurePath(path: string): void {
    let container = this.#root;
    const parts = path.split('/').slice(1);
    for (const [at, part] of parts.slice(0, -1).entries()) {
      const target = this.#get(container, unescapePointerSegment(part));
      const isMissing = target === null || target === undefined || target instanceof PatchError;
      if (isMissing) {
        container = this.#makeContainer(container, part, parts[at + 1] ?? '');
      } else if (Array.isArray(target) || isObject(target)) {
        container = target;
      } else {
        throw new PatchError('invalid state detected');
      }
    }
  }

  #makeContainer(container: Container, part: string, next: string): Container {
    if (Array.isArray(container) && /^[+-]?\d+$/.test(part)) padTo(container, Number(part));
    const made = containerFor(next);
    try {
      this.#insert(container, part, made);
    } catch (problem) {
      if (!(problem instanceof PatchError)) throw problem;
    }
    return made;
  }
}

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

function asContainer(value: unknown): Container | null {
  if (value === null || Array.isArray(value) || isObject(value)) return value;
  throw new PatchError('replace operation value must be object or array: %!w(<nil>)');
}

function holds(value: unknown, container: Container): boolean {
  if (value === container) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holds(inner, container));
}

function wrapped(context: string, change: () => void): void {
  try {
    change();
  } catch (problem) {
    if (problem instanceof PatchError) throw new PatchError(`${context}: ${problem.message}`);
    throw problem;
  }
}

function placeOf(list: readonly unknown[], key: string): number {
  return orPatchError(existingIndex(list, key));
}

function orPatchError<Index>(read: { readonly index: Index } | { readonly error: string }): Index {
  if ('error' in read) throw new PatchError(read.error);
  return read.index;
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
  if (length > longestPadding) throw new PatchError(invalidIndex(length).error);
  while (list.length < length) list.push(madeNull);
}
