import type { Value } from '../values/value.ts';
import type {
  ComprehensionExpression,
  Expression,
  IdentifierExpression,
  ListExpression,
  MapExpression,
} from './expression.ts';

/** A call that is replaced by another tree while parsing. */
export interface Macro {
  /** The name that it is called by. */
  readonly name: string;
  /**
   * How many arguments a call has that this macro takes, the receiver not counted; a macro for an
   * exact number goes before one for any.
   */
  readonly arity: number | 'any';
  /** Called as `x.f(y)` and not as `f(y)`. */
  readonly member: boolean;
  /** Returns the tree that replaces the call, `undefined` to keep the call, or a {@link MacroError}. */
  expand(
    build: ExpressionBuilder,
    target: Expression | undefined,
    values: readonly Expression[],
  ): Expression | MacroError | undefined;
}

/** Why a macro cannot take its arguments. */
export class MacroError {
  readonly message: string;
  readonly at: Expression;

  constructor(message: string, at: Expression) {
    this.message = message;
    this.at = at;
  }
}

/** The name that the accumulator has in trees of the standard macros; no source can contain it. */
export const accumulatorName = '@result';

/** Makes nodes for a macro's tree, all at the place of its call. */
export class ExpressionBuilder {
  readonly #nextId: () => number;
  readonly #position: number;

  constructor(nextId: () => number, position: number) {
    this.#nextId = nextId;
    this.#position = position;
  }

  /** A constant. */
  literal(value: Value): Expression {
    return { kind: 'literal', id: this.#nextId(), position: this.#position, value };
  }

  /** A variable, by its name. */
  identifier(name: string): IdentifierExpression {
    return { kind: 'identifier', id: this.#nextId(), position: this.#position, name };
  }

  /** A reference to the accumulator of {@link comprehension}. */
  accumulator(): IdentifierExpression {
    return this.identifier(accumulatorName);
  }

  /** A call of a function, or of an operator by its name in CEL, such as `_&&_`. */
  call(name: string, ...values: readonly Expression[]): Expression {
    return this.#call(name, undefined, values);
  }

  /** A call of a method of a target. */
  memberCall(name: string, target: Expression, ...values: readonly Expression[]): Expression {
    return this.#call(name, target, values);
  }

  #call(name: string, target: Expression | undefined, values: readonly Expression[]): Expression {
    return {
      kind: 'call',
      id: this.#nextId(),
      position: this.#position,
      function: name,
      target,
      arguments: values,
    };
  }

  /** A list of elements. */
  list(...elements: readonly Expression[]): ListExpression {
    return { kind: 'list', id: this.#nextId(), position: this.#position, elements, optional: [] };
  }

  /** A map without entries. */
  emptyMap(): MapExpression {
    return { kind: 'map', id: this.#nextId(), position: this.#position, entries: [] };
  }

  /** Builds `has(operand.field)`. */
  presenceTest(operand: Expression, field: string): Expression {
    return {
      kind: 'select',
      id: this.#nextId(),
      position: this.#position,
      operand,
      field,
      test: true,
    };
  }

  /** A loop over a range that gathers one value. */
  comprehension(
    parts: Omit<
      ComprehensionExpression,
      'kind' | 'id' | 'position' | 'macro' | 'accumulator' | 'secondVariable'
    > & { readonly accumulator?: string; readonly secondVariable?: string | undefined },
  ): ComprehensionExpression {
    return {
      kind: 'comprehension',
      id: this.#nextId(),
      position: this.#position,
      range: parts.range,
      variable: parts.variable,
      secondVariable: parts.secondVariable,
      accumulator: parts.accumulator ?? accumulatorName,
      initial: parts.initial,
      condition: parts.condition,
      step: parts.step,
      result: parts.result,
    };
  }

  /** Copies a tree with new ids, for a macro that uses an argument twice. */
  copy(expression: Expression): Expression {
    const id = this.#nextId();
    switch (expression.kind) {
      case 'literal':
      case 'identifier':
        return { ...expression, id };
      case 'select':
        return { ...expression, id, operand: this.copy(expression.operand) };
      case 'call':
        return {
          ...expression,
          id,
          target: expression.target === undefined ? undefined : this.copy(expression.target),
          arguments: expression.arguments.map((value) => this.copy(value)),
        };
      case 'list':
        return {
          ...expression,
          id,
          elements: expression.elements.map((value) => this.copy(value)),
        };
      case 'map':
        return {
          ...expression,
          id,
          entries: expression.entries.map((entry) => ({
            ...entry,
            id: this.#nextId(),
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case 'struct':
        return {
          ...expression,
          id,
          fields: expression.fields.map((field) => ({
            ...field,
            id: this.#nextId(),
            value: this.copy(field.value),
          })),
        };
      case 'comprehension':
        return {
          ...expression,
          id,
          range: this.copy(expression.range),
          initial: this.copy(expression.initial),
          condition: this.copy(expression.condition),
          step: this.copy(expression.step),
          result: this.copy(expression.result),
        };
      default:
        return expression satisfies never;
    }
  }
}
