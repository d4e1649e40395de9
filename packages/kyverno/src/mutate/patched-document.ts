import { lazily } from '@kubeadmit/base';
import { deepEqual, jsonTypeOf, unescapePointerSegment } from '@kubeadmit/go';
import type { Json, PatchOperation } from '@kubeadmit/mutator';
import {
  applyOperation,
  type Container,
  type Found,
  invalidIndex,
  isContainer,
  missing,
  type Node,
  PatchError,
  PatchedDocument,
  parseIndex,
  type Target,
  writtenNull,
} from '@kubeadmit/mutator/json-patch';

/** How far a list may be filled up with nulls. */
const longestPadding = 10_000;

/**
 * An object or list while Kyverno patches it (evanphx/json-patch v5 with the options to make missing paths for `add` and
 * to forgive them in `remove`).
 */
export class KyvernoDocument extends PatchedDocument {
  override readonly allowsMissingPathOnRemove: boolean = true;
  /**
   * Whether the document is null. A null that was given, or set by `add`, is not an object; one set by `replace` is
   * an empty list.
   */
  #isNothing: boolean;
  /** Returns the document before the patch, which the empty key selects. Inner containers have none. */
  #before: () => Node;

  constructor(document: Json) {
    super(document ?? {}, { keepOrder: true });
    this.#isNothing = document === null;
    this.#before = this.#keep(document);
  }

  #keep(value: Json): () => Node {
    return lazily(() => (isContainer(value) ? this.own(value) : value));
  }

  /** Applies an operation. Throws `PatchError` where it does not apply. */
  apply(operation: PatchOperation): void {
    if (operation.op === 'move' && operation.from === '') {
      throw new PatchError(
        'unable to move entire document to another path: invalid state detected',
      );
    }
    applyOperation(this, operation);
  }

  /** Returns the result; throws if it cannot be written. */
  result(isUnchanged: boolean): unknown {
    const result = this.finish();
    if (!this.#isNothing) return result;
    if (Array.isArray(result)) return result.length === 0 ? null : result;
    if (isUnchanged) return null;
    const reason = 'json: error calling MarshalJSON for type *jsonpatch.partialDoc';
    throw new PatchError(`${reason}: invalid value, expected object`);
  }

  addRoot(value: Node): boolean {
    this.#become(value, {});
    return true;
  }

  replaceRoot(value: Node): void {
    if (value !== writtenNull && !isContainer(value)) {
      throw new PatchError('replace operation value must be object or array: %!w(<nil>)');
    }
    this.#become(value, []);
  }

  #become(value: Node, nothing: Container): void {
    this.#isNothing = value === writtenNull;
    if (!this.#isNothing && !isContainer(value)) {
      throw new PatchError(
        `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]*jsonpatch.lazyNode`,
      );
    }
    this.root = this.#isNothing ? nothing : value;
    this.#before = this.#keep(this.#isNothing ? null : (value as Json));
  }

  rootEquals(value: Json = null): boolean {
    return deepEqual(this.root, value);
  }

  equals(
    node: Node | undefined,
    value: Json | undefined = null,
    { container, key }: Target,
  ): boolean {
    // A document that is null has itself at the empty key, and nothing equals that.
    if (key === '' && container === this.root && this.#isNothing) return false;
    return deepEqual(node === writtenNull ? null : (node ?? null), value);
  }

  override nameSource(path: string): string {
    return `"${path}"`;
  }

  override find(path: string): Target | undefined {
    if (path !== '') return super.find(path);
    const container = this.ownRoot();
    return container && { container, key: '' };
  }

  override get(target: Target): Found {
    const { container, key } = target;
    if (key === '') return { node: container === this.root ? this.#before() : null };
    if (this.#isNoObject(container)) return { node: undefined, error: noObject };
    const found = super.get(target);
    if (found.node !== undefined || found.error !== undefined) return found;
    return { node: undefined, error: `unable to get nonexistent key: ${key}: ${missing}` };
  }

  override insert(target: Target, value: Node, prefix: string): void {
    // Nothing may hold itself.
    super.insert(target, holds(value, target.container) ? this.copy(value) : value, prefix);
  }

  override take({ container, key }: Target, prefix: string): void {
    this.requireWritable(container, prefix);
    if (!Array.isArray(container)) {
      delete container[key];
      return;
    }
    const index = parseIndex(key);
    if ('error' in index) throw new PatchError(`${prefix}: ${index.error}`);
    const at = Number(index.index);
    if (at < container.length && at >= -container.length) container.splice(at, 1);
  }

  protected override ownMember(container: Container, key: string): Container | undefined {
    if (key !== '') return super.ownMember(container, key);
    const { node } = this.get({ container, key });
    return isContainer(node) ? node : undefined;
  }

  protected requireWritable(container: Container, prefix: string): void {
    if (this.#isNoObject(container)) throw new PatchError(`${prefix}: ${noObject}`);
  }

  #isNoObject(container: Container): boolean {
    return this.#isNothing && container === this.root && !Array.isArray(container);
  }

  override ensurePath(path: string): void {
    let container = this.ownRoot();
    const parts = path.split('/').slice(1);
    for (const [at, part] of parts.slice(0, -1).entries()) {
      if (container === undefined) throw new PatchError('invalid state detected');
      const key = unescapePointerSegment(part);
      const isMissing = (this.get({ container, key }).node ?? null) === null;
      container = isMissing
        ? this.#makeContainer(container, part, parts[at + 1] ?? '')
        : this.ownMember(container, key);
    }
    if (container === undefined) throw new PatchError('invalid state detected');
  }

  #makeContainer(container: Container, part: string, next: string): Container {
    if (Array.isArray(container) && isIndex(part)) this.#padTo(container, Number(part));
    const made = this.own(isIndex(next) || next === '-' ? [] : {});
    if (Array.isArray(made) && next !== '-') {
      if (Number(next) < -1) {
        throw new PatchError(
          `Unable to ensure path for negative index other than -1: ${Number(next)}: invalid index referenced`,
        );
      }
      this.#padTo(made, Number(next));
    }
    try {
      this.insert({ container, key: part }, made, '');
    } catch (problem) {
      if (!(problem instanceof PatchError)) throw problem;
    }
    return made;
  }

  #padTo(list: Node[], length: number): void {
    if (length > longestPadding) throw new PatchError(invalidIndex(length).error);
    this.hasWrittenNulls = true;
    while (list.length < length) list.push(writtenNull);
  }
}

const noObject = 'invalid value, expected object';

function isIndex(part: string): boolean {
  return /^[+-]?\d+$/.test(part);
}

function holds(value: Node, container: Container): boolean {
  if (value === container) return true;
  return isContainer(value) && Object.values(value).some((inner) => holds(inner, container));
}
