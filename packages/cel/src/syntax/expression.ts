import type { Value } from '../values/value.ts';

/** A node of the syntax tree; see the `kind` of each for its CEL form. */
export type Expression =
  | CallExpression
  | ComprehensionExpression
  | IdentifierExpression
  | ListExpression
  | LiteralExpression
  | MapExpression
  | SelectExpression
  | StructExpression;

/** The properties that all nodes have. */
export interface ExpressionNode {
  /** Unique within its tree, from 1. */
  readonly id: number;
  /** Offset of the node in the source, in UTF-16 units; that of the macro call in an expansion. */
  readonly position: number;
  /** The call that was written, where a macro made this node of it. */
  readonly macro?: MacroCall;
}

/** A call of a macro as it was written. */
export interface MacroCall {
  readonly name: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

/** A literal: `1`, `"a"`, `b"a"`, `null`. */
export interface LiteralExpression extends ExpressionNode {
  readonly kind: 'literal';
  readonly value: Value;
}

/** A name; with a leading dot when it was written so. */
export interface IdentifierExpression extends ExpressionNode {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` when it only tests. */
export interface SelectExpression extends ExpressionNode {
  /** The kind of node. */
  readonly kind: 'select';
  /** The value that has the field. */
  readonly operand: Expression;
  /** The name of the field. */
  readonly field: string;
  /** Whether `has` tests the field. */
  readonly test: boolean;
}

/** A call of a function or an operator: `f(x)`, `target.f(x)`, `x + y` (named `_+_`). */
export interface CallExpression extends ExpressionNode {
  /** The kind of node. */
  readonly kind: 'call';
  /** The name of the function or operator. */
  readonly function: string;
  /** The receiver of a member call. */
  readonly target: Expression | undefined;
  /** The arguments without the receiver. */
  readonly arguments: readonly Expression[];
}

/** `[a, ?b]`. */
export interface ListExpression extends ExpressionNode {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** Indexes of the elements written with `?`. */
  readonly optional: readonly number[];
}

/** `{k: v, ?k: v}`. */
export interface MapExpression extends ExpressionNode {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

/** One entry of a map literal, positioned at its colon. */
export interface MapEntry {
  readonly id: number;
  readonly position: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value}`. */
export interface StructExpression extends ExpressionNode {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly StructField[];
}

/** One field of a struct literal, positioned at its colon. */
export interface StructField {
  readonly id: number;
  readonly position: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** The loop that macros expand to, as in cel-spec's `Comprehension`. */
export interface ComprehensionExpression extends ExpressionNode {
  /** The kind of node. */
  readonly kind: 'comprehension';
  /** The list or map that the loop visits. */
  readonly range: Expression;
  /** The variable of the element, or of the key. */
  readonly variable: string;
  /** The second variable (list element or map value), where there is one. */
  readonly secondVariable: string | undefined;
  /** The variable of the accumulated value. */
  readonly accumulator: string;
  /** The first accumulated value. */
  readonly initial: Expression;
  /** The loop stops where it is false. */
  readonly condition: Expression;
  /** The next accumulated value. */
  readonly step: Expression;
  /** The value of the loop. */
  readonly result: Expression;
}

/** The children of a node in the order of the source, or of evaluation in a comprehension. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined
        ? expression.arguments
        : [expression.target, ...expression.arguments];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expression.fields.map((field) => field.value);
    case 'comprehension':
      return [
        expression.range,
        expression.initial,
        expression.condition,
        expression.step,
        expression.result,
      ];
    default:
      return expression satisfies never;
  }
}
