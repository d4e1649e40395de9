import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  SelectExpression,
} from '@kubeadmit/cel/syntax';
import { dynType, stringType } from '@kubeadmit/cel/types';
import type { CheckedExpression } from '@kubeadmit/cel/unstable-internal';
import { isInt } from '@kubeadmit/cel/values';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { before, nameAfter, startOf } from '../expressions/expression-start.ts';
import { type Known, placed } from './known.ts';
import { callOfOptional, callOfText } from './known-calls.ts';
import { elementOf, sumOf, unwrapped } from './known-parts.ts';

/** A field of an object that the schema of its kind does not have. */
export interface UnknownRead {
  readonly position: number;
  /** The path that is read: `object.spec.replica`. */
  readonly path: string;
  /** The existing fields. */
  readonly type: MergeType;
  readonly field: string;
  /** Asked for by `has()` or `?`, and not read. */
  readonly isTest: boolean;
}

/** The values of names: variables of the environment, and those of loops. */
export type Scope = ReadonlyMap<string, Known>;

/**
 * Derives the known values in a checked tree from its literals, the types of its parts, and the schemas of the
 * objects that it reads.
 */
export class KnownValues {
  readonly reads: UnknownRead[] = [];
  readonly #checked: CheckedExpression;

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
  }

  /** Returns the known facts about the value of the complete tree. */
  root(scope: Scope): Known {
    return this.#of(this.#checked.expression, scope);
  }

  #of(expression: Expression, scope: Scope): Known {
    const known = this.#known(expression, scope);
    return known.position === expression.position
      ? { ...known, position: startOf(expression, this.#checked.source.text) }
      : known;
  }

  #known(expression: Expression, scope: Scope): Known {
    switch (expression.kind) {
      case 'literal':
        return { kind: 'scalar', value: expression.value, position: expression.position };
      case 'identifier': {
        const known = scope.get(expression.name);
        return known === undefined ? this.#result(expression) : placed(known, expression.position);
      }
      case 'select':
        return this.#select(expression, scope);
      case 'call':
        return this.#call(expression, scope);
      case 'list':
        return {
          kind: 'list',
          position: expression.position,
          isComplete: true,
          elements: expression.elements.map((element, i) => {
            const value = this.#of(element, scope);
            return expression.optional.includes(i) ? unwrapped(value) : { value, isSure: true };
          }),
        };
      case 'map':
        return {
          kind: 'map',
          position: expression.position,
          entries: expression.entries.map(({ key, value, optional }) => {
            const known = this.#of(value, scope);
            const inner = optional ? unwrapped(known) : { value: known, isSure: true };
            return { key: this.#of(key, scope), ...inner };
          }),
        };
      case 'struct':
        return {
          kind: 'struct',
          name: expression.name,
          position: expression.position,
          fields: expression.fields.map((field) => ({
            name: field.name,
            position: before(this.#checked.source.text, field.position, field.name),
            value: this.#of(field.value, scope),
            isOptional: field.optional,
          })),
        };
      case 'comprehension':
        return this.#comprehension(expression, scope);
      default:
        return expression satisfies never;
    }
  }

  #result(expression: Expression): Known {
    const type = this.#checked.types[expression.id] ?? dynType;
    return { kind: 'result', type, position: expression.position };
  }

  #select(expression: SelectExpression, scope: Scope): Known {
    const { operand, field, test, position } = expression;
    if (this.#checked.references[expression.id] !== undefined) return this.#result(expression);
    const from = this.#of(operand, scope);
    const place = test ? operand.position : position;
    const found = this.#member(from, field, place, test);
    return test || found === undefined ? this.#result(expression) : found;
  }

  /** A field or entry of a value; `undefined` where nothing is known about it. */
  #member(from: Known, field: string, position: number, isTest: boolean): Known | undefined {
    switch (from.kind) {
      case 'data':
        return this.#dataMember(from.type, `${from.path}.${field}`, field, position, isTest);
      case 'struct':
        return from.fields.find(({ name, isOptional }) => name === field && !isOptional)?.value;
      case 'map':
        return from.entries.find(
          ({ key, isSure }) => isSure && key.kind === 'scalar' && key.value === field,
        )?.value;
      case 'choice': {
        const options = from.options.map((each) => this.#member(each, field, position, isTest));
        if (!options.every((each) => each !== undefined)) return undefined;
        return { kind: 'choice', options, position };
      }
      case 'optional': {
        const value = from.value && this.#member(from.value, field, position, true);
        return value && { kind: 'optional', value, isSure: false, position };
      }
      default:
        return undefined;
    }
  }

  #dataMember(
    type: MergeType,
    path: string,
    field: string,
    position: number,
    isTest: boolean,
  ): Known | undefined {
    const { map } = type;
    if (map === undefined) return undefined;
    const member = map.field(field)?.type ?? map.element;
    if (member !== undefined) return { kind: 'data', type: member, path, position };
    // INVARIANT: a type of maps only; other possible types have an element type for any name.
    this.reads.push({
      position: nameAfter(this.#checked.source.text, position, field),
      path,
      type,
      field,
      isTest,
    });
    return undefined;
  }

  #call(expression: CallExpression, scope: Scope): Known {
    const { position } = expression;
    const reference = this.#checked.references[expression.id];
    const name = reference?.kind === 'function' ? reference.declaration.name : expression.function;
    const isQualified = reference?.kind === 'function' && reference.qualified;
    const target =
      expression.target === undefined || isQualified
        ? undefined
        : this.#of(expression.target, scope);
    const values = expression.arguments.map((each) => this.#of(each, scope));
    return (
      this.#selection(name, values, position) ??
      callOfOptional(name, target, values, position) ??
      callOfText(name, values, position) ??
      this.#result(expression)
    );
  }

  // Returns the operand that an operator selects.
  #selection(
    name: string,
    [first, second, third]: readonly (Known | undefined)[],
    position: number,
  ): Known | undefined {
    switch (name) {
      case '_?_:_':
        if (second === undefined || third === undefined) return undefined;
        return { kind: 'choice', options: [second, third], position };
      case '_+_':
        return first && second && sumOf(first, second, position);
      case '_[_]':
      case '_[?_]': {
        const isTest = name === '_[?_]';
        const found = first && second && this.#index(first, second, position, isTest);
        if (found === undefined || !isTest) return found;
        return { kind: 'optional', value: found, isSure: false, position };
      }
      case '_?._': {
        const field = second?.kind === 'scalar' ? second.value : undefined;
        if (first === undefined || typeof field !== 'string') return undefined;
        const found = this.#member(first, field, position, true);
        if (found === undefined) return undefined;
        const value = found.kind === 'optional' ? found.value : found;
        return { kind: 'optional', value, isSure: false, position };
      }
      case 'dyn':
        return first;
      default:
        return undefined;
    }
  }

  #index(from: Known, key: Known, position: number, isTest: boolean): Known | undefined {
    if (from.kind === 'optional') return from.value && this.#index(from.value, key, position, true);
    if (key.kind === 'scalar' && typeof key.value === 'string') {
      return this.#member(from, key.value, position, isTest);
    }
    if (from.kind === 'list' && from.isComplete && key.kind === 'scalar' && isInt(key.value)) {
      const isSure = from.elements.every((element) => element.isSure);
      return isSure ? from.elements[Number(key.value)]?.value : undefined;
    }
    if (from.kind !== 'data') return undefined;
    const path = `${from.path}[]`;
    const { list, map } = from.type;
    if (list !== undefined && map === undefined) {
      return { kind: 'data', type: list.element, path, position };
    }
    if (map?.element === undefined || list !== undefined) return undefined;
    return { kind: 'data', type: map.element, path, position };
  }

  #comprehension(expression: ComprehensionExpression, scope: Scope): Known {
    const { accumulator, condition, position, result, step } = expression;
    const range = this.#of(expression.range, scope);
    const initial = this.#of(expression.initial, scope);
    // `cel.bind` is a loop that never turns.
    if (condition.kind === 'literal' && condition.value === false) {
      return this.#of(result, new Map([...scope, [accumulator, initial]]));
    }
    const inner = this.#loopScope(expression, range, scope);
    this.#of(condition, inner);
    const collected = this.#collected(step, accumulator, inner);
    if (collected !== undefined && result.kind === 'identifier') {
      const elements = [{ value: collected, isSure: false }];
      return { kind: 'list', elements, isComplete: false, position };
    }
    if (collected === undefined) this.#of(step, inner);
    this.#of(result, inner);
    return this.#result(expression);
  }

  #loopScope(
    { accumulator, variable, secondVariable, position }: ComprehensionExpression,
    range: Known,
    scope: Scope,
  ): Scope {
    const unknown: Known = { kind: 'result', type: dynType, position };
    const names = new Map(scope).set(accumulator, unknown);
    const element = elementOf(range, position) ?? unknown;
    const isMap = range.kind === 'map' || (range.kind === 'data' && range.type.list === undefined);
    const key: Known = isMap ? { kind: 'result', type: stringType, position } : unknown;
    if (secondVariable !== undefined) return names.set(variable, key).set(secondVariable, element);
    return names.set(variable, isMap ? key : element);
  }

  /** Returns the element that a loop adds to its list in each round, or `undefined` if it does something else. */
  #collected(step: Expression, accumulator: string, scope: Scope): Known | undefined {
    if (step.kind !== 'call') return undefined;
    if (step.function === '_?_:_') {
      const [condition, added, kept] = step.arguments;
      if (kept?.kind !== 'identifier' || kept.name !== accumulator) return undefined;
      const found = added && this.#collected(added, accumulator, scope);
      if (found !== undefined && condition !== undefined) this.#of(condition, scope);
      return found;
    }
    const [before, added] = step.arguments;
    if (step.function !== '_+_' || before?.kind !== 'identifier') return undefined;
    if (before.name !== accumulator || added?.kind !== 'list') return undefined;
    const element = added.elements[0];
    return element && this.#of(element, scope);
  }
}
