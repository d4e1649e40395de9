import { codePointCount } from '@kubeadmit/go';
import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { Expression } from '../syntax/expression.ts';
import { dynType, type Type } from '../values/types.ts';
import type { CallPart } from './call-estimate.ts';
import { type Estimate, fixed, union, unknownSize } from './estimates.ts';

/** How large the values of a variable can be: as its declared type says. */
export interface DeclaredSize {
  /** A map has keys, which count for nothing; whatever else it is. */
  readonly kind?: string | undefined;
  /** The most code points, bytes, elements or entries that it can have; 0 where it has none. */
  readonly maxElements?: number | undefined;
  /** The elements of a list, or the entries of a map. */
  readonly element?: DeclaredSize | undefined;
  /** The fields of an object, by name. */
  readonly fields?: ReadonlyMap<string, { readonly type: DeclaredSize }> | undefined;
}

/** The sizes of the elements of a list or map. */
export interface EntrySize {
  readonly isList: boolean;
  readonly key: Estimate;
  readonly value: Estimate;
}

/** Facts about a loop variable, an accumulator or a bound name. */
export interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entry: EntrySize | undefined;
}

/**
 * Facts about the sizes of expressions during cost estimation: from the expressions themselves, from their declared
 * types, and from earlier results (cel-go, `checker.coster`).
 */
export class KnownSizes {
  readonly #checked: CheckedExpression;
  readonly #sizeOf: (variable: string) => DeclaredSize | undefined;
  readonly #paths: Map<number, readonly string[]> = new Map();
  readonly #sizes: Map<number, Estimate> = new Map();
  readonly #entries: Map<number, EntrySize> = new Map();
  readonly #locals: Map<string, LocalVariable[]> = new Map();

  constructor(checked: CheckedExpression, sizeOf: (variable: string) => DeclaredSize | undefined) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  type(expression: Expression): Type {
    return this.#checked.types[expression.id] ?? dynType;
  }

  /** Where an expression leads from a variable; empty where that is not known. */
  path(expression: Expression): readonly string[] {
    const local = expression.kind === 'identifier' ? this.local(expression.name) : undefined;
    return local?.path ?? this.#paths.get(expression.id) ?? [];
  }

  setPath(expression: Expression, path: readonly string[]): void {
    this.#paths.set(expression.id, path);
  }

  /** The innermost variable of a name. */
  local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  localOf(expression: Expression): LocalVariable {
    return {
      path: this.path(expression),
      entry: this.entry(expression),
      size: this.size(expression),
    };
  }

  push(name: string, local: LocalVariable): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(local);
    this.#locals.set(name, stack);
  }

  pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  /** The size of a text, list or map; undefined where nothing is known of it. */
  size(expression: Expression): Estimate | undefined {
    const known = this.#sizes.get(expression.id) ?? literalSize(expression);
    if (known) return known;
    const declared = this.#declaredSize(this.path(expression));
    if (declared) {
      this.#sizes.set(expression.id, declared);
      return declared;
    }
    if (isScalar(this.type(expression))) return fixed(1);
    return expression.kind === 'identifier' ? this.local(expression.name)?.size : undefined;
  }

  sizeOr(expression: Expression): Estimate {
    return this.size(expression) ?? unknownSize;
  }

  setSize(expression: Expression, size: Estimate | undefined): void {
    if (size) this.#sizes.set(expression.id, size);
  }

  /** The sizes of the elements of a list or map that the expression creates. */
  entry(expression: Expression): EntrySize | undefined {
    const own = this.#entries.get(expression.id);
    if (own || expression.kind !== 'identifier') return own;
    return this.local(expression.name)?.entry;
  }

  setEntry(expression: Expression, entry: EntrySize | undefined): void {
    if (entry) this.#entries.set(expression.id, entry);
  }

  /** The entries of an expression that is one of two others. */
  setEitherEntry(expression: Expression, left?: Expression, right?: Expression): void {
    this.setEntry(expression, unionEntries(left && this.entry(left), right && this.entry(right)));
  }

  copy(to: Expression, from: Expression): void {
    this.setSize(to, this.size(from));
    this.setEntry(to, this.entry(from));
  }

  /** An argument or receiver as the estimates of calls see it. */
  part(expression: Expression): CallPart {
    const type = this.type(expression);
    const [inner] = type.parameters;
    const path = this.path(expression);
    const value = expression.kind === 'literal' ? expression.value : undefined;
    const isInteger = typeof value === 'bigint' || Number.isInteger(value);
    const isDeclared = path.length > 0 && !isAccumulator(path[0]);
    const size = isDeclared ? this.#declaredSize([...path, '@items']) : undefined;
    return {
      type,
      size: this.size(expression),
      literal: isInteger ? BigInt(value as bigint | number) : undefined,
      element: inner && { type: inner, size: size ?? unknownSize },
    };
  }

  /** The size that the declared type allows at a path that starts with a variable. */
  #declaredSize(path: readonly string[]): Estimate | undefined {
    const [variable] = path;
    if (variable === undefined) return undefined;
    let at = this.#sizeOf(variable);
    if (!at) return undefined;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') at = at.element;
      else if (step === '@keys') at = at.kind === 'map' ? keySize : undefined;
      else at = at.fields?.get(step)?.type;
      if (!at) return undefined;
    }
    return { min: 0n, max: BigInt(at.maxElements ?? 0) };
  }
}

// kube-apiserver declares keys without a size, and then counts nothing for them.
const keySize: DeclaredSize = { maxElements: 0 };

function unionEntries(
  left: EntrySize | undefined,
  right: EntrySize | undefined,
): EntrySize | undefined {
  if (!left || !right) return undefined;
  return {
    isList: left.isList,
    key: union(left.key, right.key),
    value: union(left.value, right.value),
  };
}

function isAccumulator(name: string | undefined): boolean {
  return name === '__result__' || name === '@result';
}

function literalSize(expression: Expression): Estimate | undefined {
  switch (expression.kind) {
    case 'list':
      return fixed(expression.elements.length);
    case 'map':
      return fixed(expression.entries.length);
    case 'literal': {
      const { value } = expression;
      if (typeof value === 'string') return fixed(codePointCount(value));
      return fixed(value instanceof Uint8Array ? value.length : 1);
    }
    default:
      return undefined;
  }
}

function isScalar(type: Type): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    default:
      return type.name === 'optional_type' && type.parameters[0] !== undefined
        ? isScalar(type.parameters[0])
        : false;
  }
}
