import {
  type CallExpression,
  type CheckedExpression,
  type ComprehensionExpression,
  codePointCount,
  dynType,
  type Expression,
  type Type,
} from '@kubeadmit/cel';
import type { DeclaredType } from '@kubeadmit/schemas';
import { type CallEstimate, type CallPart, estimateKubernetesCall } from './call-estimate.ts';
import {
  type Estimate,
  fixed,
  greatest,
  lesser,
  product,
  scaled,
  sum,
  union,
  unknownSize,
} from './estimates.ts';
import { estimateListCall } from './list-estimate.ts';

const traversal = 0.1;
const regexFactor = 0.25;

/** The sizes of what a list or map holds. */
interface EntrySize {
  readonly isList: boolean;
  readonly key: Estimate;
  readonly value: Estimate;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entry: EntrySize | undefined;
}

/**
 * The most that an expression can cost on values of a type, which definitions are limited by (cel-go, `checker.Cost`,
 * with the sizes of a declared type for `self` and `oldSelf`).
 */
export function estimateCost(checked: CheckedExpression, root: DeclaredType): bigint {
  return new Estimator(checked, root).cost(checked.expression).max;
}

class Estimator {
  private readonly checked: CheckedExpression;
  private readonly root: DeclaredType;
  private readonly paths: Map<number, readonly string[]> = new Map();
  private readonly sizes: Map<number, Estimate> = new Map();
  private readonly entries: Map<number, EntrySize> = new Map();
  private readonly locals: Map<string, LocalVariable[]> = new Map();

  constructor(checked: CheckedExpression, root: DeclaredType) {
    this.checked = checked;
    this.root = root;
  }

  cost(expression: Expression): Estimate {
    switch (expression.kind) {
      case 'literal':
        return fixed(0);
      case 'identifier': {
        const local = this.local(expression.name);
        this.paths.set(expression.id, local ? local.path : [expression.name]);
        return fixed(1);
      }
      case 'select': {
        const operand = this.cost(expression.operand);
        if (expression.test) return operand;
        this.paths.set(expression.id, [...this.path(expression.operand), expression.field]);
        const { kind } = this.type(expression.operand);
        const isCharged = kind === 'map' || kind === 'struct' || kind === 'param';
        return isCharged ? sum(operand, fixed(1)) : operand;
      }
      case 'call':
        return this.call(expression);
      case 'list': {
        const costs = expression.elements.map((element) => this.cost(element));
        const value = this.cover(expression.elements);
        this.entries.set(expression.id, { isList: true, key: fixed(1), value });
        return sum(fixed(10), ...costs);
      }
      case 'map': {
        const costs = expression.entries.map(({ key, value }) =>
          sum(this.cost(key), this.cost(value)),
        );
        const key = this.cover(expression.entries.map((entry) => entry.key));
        const value = this.cover(expression.entries.map((entry) => entry.value));
        this.entries.set(expression.id, { isList: false, key, value });
        return sum(fixed(30), ...costs);
      }
      case 'struct':
        return sum(fixed(40), ...expression.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return isBinding(expression) ? this.binding(expression) : this.loop(expression);
      default:
        return expression satisfies never;
    }
  }

  /** The range of the sizes of expressions, in the order of their costs. */
  private cover(expressions: readonly Expression[]): Estimate {
    if (expressions.length === 0) return fixed(0);
    return expressions.map((each) => this.sizeOr(each)).reduce(union, { min: greatest, max: 0n });
  }

  private binding(expression: ComprehensionExpression): Estimate {
    const before = sum(this.cost(expression.range), this.cost(expression.initial));
    this.push(expression.accumulator, this.localOf(expression.initial));
    const result = this.cost(expression.result);
    this.pop(expression.accumulator);
    this.copySizes(expression, expression.result);
    return sum(before, result);
  }

  private loop(expression: ComprehensionExpression): Estimate {
    const { accumulator, initial, range, secondVariable, variable } = expression;
    const before = sum(this.cost(range), this.cost(initial));
    this.push(accumulator, this.localOf(initial));
    const entry = this.entry(range);
    const isList = entry ? entry.isList : this.type(range).kind === 'list';
    const path = this.path(range);
    const part = (step: string, size: Estimate | undefined): LocalVariable => ({
      path: [...path, step],
      size,
      entry: undefined,
    });
    if (secondVariable !== undefined) {
      this.push(variable, part(isList ? '@indices' : '@keys', entry?.key));
      this.push(secondVariable, part(isList ? '@items' : '@values', entry?.value));
    } else {
      this.push(variable, isList ? part('@items', entry?.value) : part('@keys', entry?.key));
    }
    const condition = this.cost(expression.condition);
    const step = this.cost(expression.step);
    this.pop(variable);
    if (secondVariable !== undefined) this.pop(secondVariable);
    const result = this.cost(expression.result);
    this.pop(accumulator);
    const count = this.sizeOr(range);
    if (initial.kind === 'literal') this.setSize(expression, this.size(initial));
    else if (initial.kind === 'list' || initial.kind === 'map') {
      this.setSize(expression, count);
      const made = this.entry(expression.step);
      if (made) this.entries.set(expression.id, made);
    }
    return sum(before, result, product(count, sum(step, condition)));
  }

  private call(expression: CallExpression): Estimate {
    const { arguments: parts, target } = expression;
    if (expression.function === 'dyn') {
      const inner = parts[0] as Expression;
      const cost = this.cost(inner);
      this.copySizes(expression, inner);
      return sum(fixed(1), cost);
    }
    const costs = parts.map((part) => this.cost(part));
    const given = parts.map((part) => this.part(part));
    const reference = this.checked.references[expression.id];
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    if (expression.function === '_?._') return sum(fixed(1), ...costs);
    if (overloads.length === 0) return fixed(0);
    const isMember =
      target !== undefined && !(reference?.kind === 'function' && reference.qualified);
    const targetCost = isMember ? this.cost(target) : fixed(0);
    const receiver = isMember ? this.part(target) : undefined;
    let cost: Estimate = { min: greatest, max: 0n };
    let size: Estimate | undefined;
    const [first] = parts;
    for (const { id } of overloads) {
      const estimate = this.overload(expression, id, receiver, given, costs);
      cost = union(cost, estimate.cost);
      if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
      if (first && (id === 'index_list' || id === 'index_map')) {
        size = this.entry(first)?.value;
        this.paths.set(expression.id, [
          ...this.path(first),
          id === 'index_list' ? '@items' : '@values',
        ]);
      }
      size ??= this.size(expression);
    }
    this.setSize(expression, size);
    return sum(targetCost, cost);
  }

  private overload(
    expression: CallExpression,
    id: string,
    target: CallPart | undefined,
    parts: readonly CallPart[],
    costs: readonly Estimate[],
  ): CallEstimate {
    const [first, second, third] = expression.arguments;
    const known =
      estimateListCall(id, target, parts) ??
      estimateKubernetesCall(expression.function, id, target, parts);
    if (known) return { ...known, cost: sum(known.cost, ...costs) };
    const withArguments = (cost: Estimate, size?: Estimate): CallEstimate => ({
      cost: sum(cost, ...costs),
      ...(size ? { size } : {}),
    });
    const sizeAt = (index: number): Estimate => parts[index]?.size ?? unknownSize;
    const targetSize = target?.size ?? unknownSize;
    switch (id) {
      case 'string_format':
        return withArguments(scaled(targetSize, traversal));
      case 'string_to_bytes': {
        const { min, max } = sizeAt(0);
        return withArguments(scaled(sizeAt(0), traversal), {
          min,
          max: BigInt.asUintN(64, max * 4n),
        });
      }
      case 'bytes_to_string': {
        const { min, max } = sizeAt(0);
        return withArguments(scaled(sizeAt(0), traversal), { min: min / 4n, max });
      }
      case 'strings_quote': {
        const { min, max } = sizeAt(0);
        const size = { min: min + 2n, max: BigInt.asUintN(64, max * 2n + 2n) };
        return withArguments(scaled(sizeAt(0), traversal), size);
      }
      case 'starts_with_string':
      case 'ends_with_string':
        return withArguments(scaled(sizeAt(0), traversal));
      case 'in_list':
        return withArguments(scaled(sizeAt(1), 1));
      case 'matches':
      case 'matches_string': {
        const [text, pattern] = target ? [targetSize, sizeAt(0)] : [sizeAt(0), sizeAt(1)];
        const textCost = scaled(sum(text, fixed(1)), traversal);
        return withArguments(product(textCost, scaled(pattern, regexFactor)));
      }
      case 'contains_string':
        return withArguments(product(scaled(targetSize, traversal), scaled(sizeAt(0), traversal)));
      case 'logical_or':
      case 'logical_and': {
        const [left = fixed(0), right = fixed(0)] = costs;
        return { cost: { min: left.min, max: sum(left, right).max } };
      }
      case 'conditional': {
        const entry = unionEntries(second && this.entry(second), third && this.entry(third));
        if (entry) this.entries.set(expression.id, entry);
        const [condition = fixed(0), yes = fixed(0), no = fixed(0)] = costs;
        return { cost: sum(condition, union(yes, no)), size: union(sizeAt(1), sizeAt(2)) };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const size = sum(sizeAt(0), sizeAt(1));
        const entry = unionEntries(first && this.entry(first), second && this.entry(second));
        if (entry) this.entries.set(expression.id, entry);
        return withArguments(id === 'add_list' ? fixed(1) : scaled(size, traversal), size);
      }
      default:
        return withArguments(isComparison(id) ? comparison(sizeAt(0), sizeAt(1)) : fixed(1));
    }
  }

  private part(expression: Expression): CallPart {
    const type = this.type(expression);
    const [inner] = type.parameters;
    const path = this.path(expression);
    const value = expression.kind === 'literal' ? expression.value : undefined;
    return {
      type,
      size: this.size(expression),
      literal:
        typeof value === 'bigint' || typeof value === 'number'
          ? BigInt(Math.trunc(Number(value)))
          : undefined,
      element: inner && {
        type: inner,
        size:
          (path.length > 0 && !isAccumulator(path[0])
            ? this.declaredSize([...path, '@items'])
            : undefined) ?? unknownSize,
      },
    };
  }

  private type(expression: Expression): Type {
    return this.checked.types[expression.id] ?? dynType;
  }

  private path(expression: Expression): readonly string[] {
    const local = expression.kind === 'identifier' ? this.local(expression.name) : undefined;
    return local?.path ?? this.paths.get(expression.id) ?? [];
  }

  private local(name: string): LocalVariable | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private localOf(expression: Expression): LocalVariable {
    return {
      path: this.path(expression),
      entry: this.entry(expression),
      size: this.size(expression),
    };
  }

  private push(name: string, local: LocalVariable): void {
    const stack = this.locals.get(name) ?? [];
    stack.push(local);
    this.locals.set(name, stack);
  }

  private pop(name: string): void {
    this.locals.get(name)?.pop();
  }

  private sizeOr(expression: Expression): Estimate {
    return this.size(expression) ?? unknownSize;
  }

  private setSize(expression: Expression, size: Estimate | undefined): void {
    if (size) this.sizes.set(expression.id, size);
  }

  private copySizes(to: Expression, from: Expression): void {
    this.setSize(to, this.size(from));
    const entry = this.entry(from);
    if (entry) this.entries.set(to.id, entry);
  }

  private entry(expression: Expression): EntrySize | undefined {
    const own = this.entries.get(expression.id);
    if (own || expression.kind !== 'identifier') return own;
    return this.local(expression.name)?.entry;
  }

  private size(expression: Expression): Estimate | undefined {
    const known = this.sizes.get(expression.id) ?? literalSize(expression);
    if (known) return known;
    const declared = this.declaredSize(this.path(expression));
    if (declared) {
      this.sizes.set(expression.id, declared);
      return declared;
    }
    if (isScalar(this.type(expression))) return fixed(1);
    return expression.kind === 'identifier' ? this.local(expression.name)?.size : undefined;
  }

  /** The size that the declared type allows at a path that starts with `self` or `oldSelf`. */
  private declaredSize(path: readonly string[]): Estimate | undefined {
    if (path.length === 0) return undefined;
    let at: DeclaredType | undefined = this.root;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') at = at.element;
      else if (step === '@keys') at = at.kind === 'map' ? keyDeclared : undefined;
      else at = at.fields?.get(step)?.type;
      if (!at) return undefined;
    }
    return { min: 0n, max: BigInt(at.maxElements ?? 0) };
  }
}

// kube-apiserver declares keys without a size, and then counts nothing for them.
const keyDeclared: DeclaredType = { kind: 'string', minSize: 2, maxElements: 0 };

const comparisons = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/;

function isComparison(id: string): boolean {
  return id === 'equals' || id === 'not_equals' || comparisons.test(id);
}

function comparison(left: Estimate, right: Estimate): Estimate {
  const max = lesser(left.max, right.max);
  return scaled({ min: max > 0n ? 1n : 0n, max }, traversal);
}

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

function isBinding({ accumulator, condition, range }: ComprehensionExpression): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== '__result__'
  );
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
  if (type.nullable) return false;
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
