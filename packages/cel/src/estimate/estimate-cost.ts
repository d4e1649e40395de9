import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { CallExpression, ComprehensionExpression, Expression } from '../syntax/expression.ts';
import type { CallEstimate, CallPart } from './call-estimate.ts';
import { type Estimate, fixed, greatest, product, sum, union } from './estimates.ts';
import { type DeclaredSize, KnownSizes, type LocalVariable } from './known-sizes.ts';
import { estimateListCall } from './list-estimate.ts';
import { estimateStandardCall } from './standard-call-estimate.ts';

/** Facts for an estimate in addition to the expression. */
export interface EstimateOptions {
  /**
   * How large the values of a variable can be; `undefined` where nothing is known, so that loops over it are endless.
   */
  readonly sizeOf?: (variable: string) => DeclaredSize | undefined;
  /** Returns the cost of a call without its arguments, or `undefined` to use cel-go's estimate. */
  readonly estimateCall?: (
    name: string,
    overload: string,
    target: CallPart | undefined,
    parts: readonly CallPart[],
  ) => CallEstimate | undefined;
}

/**
 * Estimates the lowest and highest cost of a checked expression before its data is known, in the units of
 * `Program.evaluate` (cel-go, `checker.Cost`). 2^64 - 1 means unlimited. Constant lists and maps can cost less than the
 * lowest estimate, since cel-go creates them once.
 *
 * @throws TypeError for a value that is not a checked expression, such as a string.
 *
 * @example estimateCost(checked, { sizeOf: () => ({ maxElements: 10 }) }).max
 */
export function estimateCost(checked: CheckedExpression, options: EstimateOptions = {}): Estimate {
  return new Estimator(checked, options).cost(checked.expression);
}

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #known: KnownSizes;
  readonly #options: EstimateOptions;

  constructor(checked: CheckedExpression, options: EstimateOptions) {
    this.#checked = checked;
    this.#options = options;
    this.#known = new KnownSizes(checked, options.sizeOf ?? (() => undefined));
  }

  cost(expression: Expression): Estimate {
    switch (expression.kind) {
      case 'literal':
        return fixed(0);
      case 'identifier': {
        const local = this.#known.local(expression.name);
        this.#known.setPath(expression, local ? local.path : [expression.name]);
        return fixed(1);
      }
      case 'select': {
        // The checker of cel-go replaces a qualified name by an identifier.
        const reference = this.#checked.references[expression.id];
        if (reference !== undefined && 'name' in reference) {
          this.#known.setPath(expression, [reference.name]);
          return fixed(1);
        }
        const operand = this.cost(expression.operand);
        if (expression.test) return operand;
        this.#known.setPath(expression, [
          ...this.#known.path(expression.operand),
          expression.field,
        ]);
        const { kind } = this.#known.type(expression.operand);
        const isCharged = kind === 'map' || kind === 'struct' || kind === 'param';
        return isCharged ? sum(operand, fixed(1)) : operand;
      }
      case 'call':
        return this.#call(expression);
      case 'list': {
        const costs = expression.elements.map((element) => this.cost(element));
        const value = this.#cover(expression.elements);
        this.#known.setEntry(expression, { isList: true, key: fixed(1), value });
        return sum(fixed(10), ...costs);
      }
      case 'map': {
        const costs = expression.entries.map(({ key, value }) =>
          sum(this.cost(key), this.cost(value)),
        );
        const key = this.#cover(expression.entries.map((entry) => entry.key));
        const value = this.#cover(expression.entries.map((entry) => entry.value));
        this.#known.setEntry(expression, { isList: false, key, value });
        return sum(fixed(30), ...costs);
      }
      case 'struct':
        return sum(fixed(40), ...expression.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#loop(expression);
      default:
        return expression satisfies never;
    }
  }

  /** The range of the sizes of expressions, in the order of their costs. */
  #cover(expressions: readonly Expression[]): Estimate {
    if (expressions.length === 0) return fixed(0);
    return expressions
      .map((each) => this.#known.sizeOr(each))
      .reduce(union, { min: greatest, max: 0n });
  }

  #binding(expression: ComprehensionExpression): Estimate {
    const before = sum(this.cost(expression.range), this.cost(expression.initial));
    this.#known.push(expression.accumulator, this.#known.localOf(expression.initial));
    const result = this.cost(expression.result);
    this.#known.pop(expression.accumulator);
    this.#known.copy(expression, expression.result);
    return sum(before, result);
  }

  #loop(expression: ComprehensionExpression): Estimate {
    const { accumulator, initial, range, secondVariable, variable } = expression;
    const before = sum(this.cost(range), this.cost(initial));
    this.#known.push(accumulator, this.#known.localOf(initial));
    const entry = this.#known.entry(range);
    const isList = entry ? entry.isList : this.#known.type(range).kind === 'list';
    const path = this.#known.path(range);
    const part = (step: string, size: Estimate | undefined): LocalVariable => ({
      path: [...path, step],
      size,
      entry: undefined,
    });
    if (secondVariable !== undefined) {
      this.#known.push(variable, part(isList ? '@indices' : '@keys', entry?.key));
      this.#known.push(secondVariable, part(isList ? '@items' : '@values', entry?.value));
    } else {
      this.#known.push(variable, isList ? part('@items', entry?.value) : part('@keys', entry?.key));
    }
    const condition = this.cost(expression.condition);
    const step = this.cost(expression.step);
    this.#known.pop(variable);
    if (secondVariable !== undefined) this.#known.pop(secondVariable);
    const result = this.cost(expression.result);
    this.#known.pop(accumulator);
    const count = this.#known.sizeOr(range);
    if (initial.kind === 'literal') this.#known.setSize(expression, this.#known.size(initial));
    else if (initial.kind === 'list' || initial.kind === 'map') {
      this.#known.setSize(expression, count);
      this.#known.setEntry(expression, this.#known.entry(expression.step));
    }
    return sum(before, result, product(count, sum(step, condition)));
  }

  #call(expression: CallExpression): Estimate {
    const { arguments: parts, target } = expression;
    if (expression.function === 'dyn') {
      const inner = parts[0] as Expression;
      const cost = this.cost(inner);
      this.#known.copy(expression, inner);
      return sum(fixed(1), cost);
    }
    const costs = parts.map((part) => this.cost(part));
    const given = parts.map((part) => this.#known.part(part));
    const reference = this.#checked.references[expression.id];
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    if (expression.function === '_?._') return sum(fixed(1), ...costs);
    if (overloads.length === 0) return fixed(0);
    const isMember =
      target !== undefined && !(reference?.kind === 'function' && reference.qualified);
    const targetCost = isMember ? this.cost(target) : fixed(0);
    const receiver = isMember ? this.#known.part(target) : undefined;
    let cost: Estimate = { min: greatest, max: 0n };
    let size: Estimate | undefined;
    const [first] = parts;
    for (const { id } of overloads) {
      const estimate = this.#overload(expression, id, receiver, given, costs);
      cost = union(cost, estimate.cost);
      if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
      if (first && (id === 'index_list' || id === 'index_map')) {
        size = this.#known.entry(first)?.value;
        this.#known.setPath(expression, [
          ...this.#known.path(first),
          id === 'index_list' ? '@items' : '@values',
        ]);
      }
      size ??= this.#known.size(expression);
    }
    this.#known.setSize(expression, size);
    return sum(targetCost, cost);
  }

  #overload(
    expression: CallExpression,
    id: string,
    target: CallPart | undefined,
    parts: readonly CallPart[],
    costs: readonly Estimate[],
  ): CallEstimate {
    const [first, second, third] = expression.arguments;
    const [left = fixed(0), right = fixed(0), otherwise = fixed(0)] = costs;
    switch (id) {
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: left.min, max: sum(left, right).max } };
      case 'conditional': {
        this.#known.setEitherEntry(expression, second, third);
        const [yes, no] = [second, third].map((each) => each && this.#known.sizeOr(each));
        const size = yes && no ? union(yes, no) : undefined;
        return { cost: sum(left, union(right, otherwise)), ...(size ? { size } : {}) };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        this.#known.setEitherEntry(expression, first, second);
        break;
      default:
        break;
    }
    const estimate =
      estimateListCall(id, target, parts) ??
      this.#options.estimateCall?.(this.#functionName(expression), id, target, parts) ??
      estimateStandardCall(id, target, parts);
    return { ...estimate, cost: sum(estimate.cost, ...costs) };
  }

  // A function such as `ip.isCanonical` is called by its full name.
  #functionName({ function: name, id }: CallExpression): string {
    const reference = this.#checked.references[id];
    return reference?.kind === 'function' && reference.qualified
      ? reference.declaration.name
      : name;
  }
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
