import type { CelError, Value } from '@kubeadmit/cel';
import type { GoFormOf } from '@kubeadmit/cel/unstable-internal';
import type { ExpressionChecker, ExpressionProblem, ExpressionRequest } from './expression.ts';

/** Returns the value of a variable by name, or `undefined` if it does not exist. */
export type Lookup = (name: string) => Value | undefined;

/**
 * The values of the variables of an expression, by name (`authorizer.requestResource` is one): an object, or a
 * function that is called for each variable that is read.
 */
export type Bindings = Readonly<Record<string, Value>> | Lookup;

/** The result of an evaluation and its cost. */
export interface Evaluation {
  readonly value: Value | CelError;
  readonly cost: number;
}

/** A compiled expression. */
export interface PolicyProgram {
  /** Whether the expression reads `variables`. */
  readonly readsVariables: boolean;
  /** Whether the expression reads nothing and is not observed, so that its value is constant. */
  readonly isConstant?: boolean;
  /**
   * Evaluates with a limit of 1,000,000 cost units; never throws.
   *
   * @param formOf in which form of Go the server holds a list or map; without it, all is JSON
   */
  evaluate(variables: Lookup, formOf?: GoFormOf): Evaluation;
}

/** An expression of a policy, compiled or with the reason why it is not. */
export interface CompiledExpression {
  /** The text as the policy has it. */
  readonly expression: string;
  readonly problem?: ExpressionProblem | undefined;
  readonly program?: PolicyProgram | undefined;
}

/** Compiles the expressions of one policy for evaluation. */
export interface PolicyCompiler extends ExpressionChecker {
  compile(request: ExpressionRequest): CompiledExpression;
  /** Compiles a variable and declares it with its result type for later expressions. */
  compileVariable(name: string, request: ExpressionRequest): CompiledExpression;
}

/** The variables of a policy by name; the last of equal names counts. */
export type CompiledVariables = ReadonlyMap<string, CompiledExpression>;
