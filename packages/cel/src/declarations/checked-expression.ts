import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Source } from '../syntax/source.ts';
import type { Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import type { FunctionDeclaration, Overload } from './function-declaration.ts';

/** The meaning of a name or call. */
export type Reference =
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** Whether a loop variable of the same name hides it, so that it has to be looked up at the root. */
      readonly root: boolean;
    }
  | { readonly kind: 'constant'; readonly name: string; readonly value: Value }
  | { readonly kind: 'type'; readonly name: string }
  | {
      readonly kind: 'function';
      readonly declaration: FunctionDeclaration;
      /** The overloads that can take the arguments, in the order of declaration. */
      readonly overloads: readonly Overload[];
      /** Whether the receiver as written is part of the function's name. */
      readonly qualified: boolean;
    }
  | { readonly kind: 'struct'; readonly name: string };

/** A tree with the type of each node and the meaning of each name, both by the node's id. */
export interface CheckedExpression {
  readonly source: Source;
  readonly expression: Expression;
  readonly types: readonly (Type | undefined)[];
  readonly references: readonly (Reference | undefined)[];
}

/** The result of {@link check}. */
export interface CheckResult extends CheckedExpression {
  readonly issues: readonly Issue[];
}

/** The dotted name that a chain of plain selections spells; `undefined` for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
