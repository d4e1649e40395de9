import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Macro } from '../syntax/macro.ts';
import type { Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { FunctionDeclaration } from './function-declaration.ts';

/**
 * The cost of a call that was made: a number, or computed from its result (perhaps a `CelError`) and
 * its arguments.
 */
export type CallCost = number | CallCostMethod['compute'];

// A method, and not a function type, so that costs may declare the types of their arguments.
interface CallCostMethod {
  compute(result: Value, ...values: Value[]): number;
}

/** A rule for checked trees that goes beyond types; reports issues in the order in which it finds them. */
export type TreeRule = (expression: CheckedExpression, report: ReportIssue) => void;

/** Takes an issue; an `internal` one stands for all others. */
export type ReportIssue = (
  at: Expression,
  message: string,
  code?: Extract<Issue['code'], 'literal' | 'internal'>,
) => void;

/** A set of declarations that an environment can be given. */
export interface Library {
  /** For messages. */
  readonly name: string;
  /** Functions; one that another library declares too gets the overloads of both. */
  readonly functions?: readonly FunctionDeclaration[];
  /** Calls that are rewritten while they are parsed. */
  readonly macros?: readonly Macro[];
  /** Rules for checked trees, such as constant arguments that can be judged before evaluation. */
  readonly rules?: readonly TreeRule[];
  /** Types that expressions can name, such as `net.IP`. */
  readonly types?: readonly Type[];
  /** Costs by overload id; they win over the environment's costs by function. */
  readonly overloadCosts?: Readonly<Record<string, CallCost>>;
}
