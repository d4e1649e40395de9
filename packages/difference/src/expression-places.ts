import { type ComprehensionExpression, childrenOf, type Expression } from '@kubeadmit/cel/syntax';
import { parsed } from './parsed.ts';
import { elements, type Place, type Places } from './places.ts';

/** Expressions of one policy, whose variables are known by their expressions. */
export interface PolicyExpressions {
  readonly variables: ReadonlyMap<string, string>;
  readonly expressions: readonly string[];
  /** The values of the parameters, such as limits and names, which are used like literals. */
  readonly parameters: readonly unknown[];
}

/** Notes the places of the object that expressions in CEL look at, with the literals beside them. */
export function noteExpressionPlaces(policy: PolicyExpressions, places: Places): void {
  const reader = new Reader(policy, places);
  for (const text of [...policy.expressions, ...policy.variables.values()]) reader.read(text);
}

type Scope = ReadonlyMap<string, readonly Place[]>;

const optionalSelection = '_?._';
const indexes: ReadonlySet<string> = new Set(['_[_]', '_[?_]']);

class Reader {
  readonly #variables: ReadonlyMap<string, string>;
  readonly #parameters: readonly unknown[];
  readonly #places: Places;
  #depth = 0;

  constructor({ variables, parameters }: PolicyExpressions, places: Places) {
    this.#variables = variables;
    this.#parameters = parameters;
    this.#places = places;
  }

  read(text: string): void {
    const expression = parsed(text);
    if (expression !== undefined) this.#walk(expression, new Map());
  }

  #walk(expression: Expression, scope: Scope): void {
    for (const place of this.#placesOf(expression, scope)) this.#places.add(place);
    if (expression.kind === 'call') this.#noteLiterals(expression, scope);
    if (expression.kind === 'comprehension') {
      this.#walk(expression.range, scope);
      const inner = this.#within(expression, scope);
      this.#walk(expression.condition, inner);
      this.#walk(expression.step, inner);
      this.#walk(expression.result, inner);
      return;
    }
    for (const child of childrenOf(expression)) this.#walk(child, scope);
  }

  #noteLiterals(expression: Extract<Expression, { kind: 'call' }>, scope: Scope): void {
    const operands = [
      ...(expression.target === undefined ? [] : [expression.target]),
      ...expression.arguments,
    ];
    const literals = [
      ...operands.flatMap(literalValues),
      ...(operands.some(asksParameters) ? this.#parameters : []),
    ];
    if (literals.length === 0) return;
    for (const operand of operands) {
      for (const place of this.#placesOf(operand, scope)) this.#places.add(place, literals);
      const asked = requestMember(operand);
      if (asked !== undefined) this.#places.addOfRequest(asked, literals);
    }
  }

  #within(expression: ComprehensionExpression, scope: Scope): Scope {
    const { range, variable, secondVariable } = expression;
    // `map` yields places of elements already, or lists that are merged into one.
    const isMade = range.kind === 'comprehension' && transformOf(range) !== undefined;
    const inside = this.#placesOf(range, scope).flatMap((place) => [
      ...(isMade ? [place] : []),
      [...place, elements],
    ]);
    return new Map([...scope, [secondVariable ?? variable, inside]]);
  }

  /** The places that an expression may stand for. */
  #placesOf(expression: Expression, scope: Scope): readonly Place[] {
    switch (expression.kind) {
      case 'identifier': {
        if (expression.name === 'object' || expression.name === 'oldObject') return [[]];
        return scope.get(expression.name) ?? [];
      }
      case 'select': {
        const { operand, field } = expression;
        if (operand.kind === 'identifier' && operand.name === 'variables') {
          return this.#variablePlaces(field);
        }
        return this.#placesOf(operand, scope).map((place) => [...place, field]);
      }
      case 'comprehension': {
        const made = transformOf(expression);
        return made === undefined
          ? this.#placesOf(expression.range, scope)
          : this.#placesOf(made, this.#within(expression, scope));
      }
      case 'call':
        return this.#callPlaces(expression, scope);
      default:
        return [];
    }
  }

  #callPlaces(expression: Extract<Expression, { kind: 'call' }>, scope: Scope): readonly Place[] {
    const [first, second, third] = expression.arguments;
    const { function: name, target } = expression;
    if (first !== undefined && second !== undefined) {
      const key = second.kind === 'literal' ? second.value : undefined;
      if (name === optionalSelection || indexes.has(name)) {
        const step = typeof key === 'string' ? key : elements;
        return this.#placesOf(first, scope).map((place) => [...place, step]);
      }
      if (name === '_?_:_' && third !== undefined) {
        return [...this.#placesOf(second, scope), ...this.#placesOf(third, scope)];
      }
      if (name === '_+_')
        return [...this.#placesOf(first, scope), ...this.#placesOf(second, scope)];
    }
    if (target !== undefined) return this.#placesOf(target, scope);
    return name === 'string' || name === 'size' || name === 'quantity'
      ? expression.arguments.flatMap((value) => this.#placesOf(value, scope))
      : [];
  }

  #variablePlaces(name: string): readonly Place[] {
    const text = this.#variables.get(name);
    if (text === undefined || this.#depth > 20) return [];
    const expression = parsed(text);
    if (expression === undefined) return [];
    this.#depth++;
    const places = this.#placesOf(expression, new Map());
    this.#depth--;
    return places;
  }
}

function asksParameters(expression: Expression): boolean {
  return expression.kind === 'identifier'
    ? expression.name === 'params'
    : childrenOf(expression).some(asksParameters);
}

// Returns the expression that `map` applies to each element; `undefined` for `filter`, which keeps elements
// unchanged.
function transformOf({
  step,
  variable,
  secondVariable,
}: ComprehensionExpression): Expression | undefined {
  const sum = step.kind === 'call' && step.function === '_?_:_' ? step.arguments[1] : step;
  if (sum?.kind !== 'call' || sum.function !== '_+_') return undefined;
  const made = sum.arguments[1];
  const [element] = made?.kind === 'list' ? made.elements : [];
  if (element?.kind === 'identifier' && [variable, secondVariable].includes(element.name)) {
    return undefined;
  }
  return element;
}

// `request.userInfo.username`, `object.metadata.namespace`
function requestMember(expression: Expression): string | undefined {
  if (expression.kind !== 'select') return undefined;
  const { field, operand } = expression;
  if (!['username', 'groups', 'namespace', 'name'].includes(field)) return undefined;
  const root = operand.kind === 'select' ? operand.operand : operand;
  return root.kind === 'identifier' && ['request', 'object'].includes(root.name)
    ? field
    : undefined;
}

function literalValues(expression: Expression): readonly unknown[] {
  if (expression.kind === 'literal') return [expression.value];
  if (expression.kind === 'list') return expression.elements.flatMap(literalValues);
  if (expression.kind !== 'call') return [];
  return expression.function === 'quantity' || expression.function === 'duration'
    ? expression.arguments.flatMap(literalValues)
    : [];
}
