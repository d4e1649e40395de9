import type { PolicySpec } from './model.ts';

/** Optional variables of a policy's expression. */
export interface ExpressionScope {
  /** `params` is declared: the policy has a `paramKind`. */
  readonly params: boolean;
  /** `authorizer` and `authorizer.requestResource` are declared. */
  readonly authorizer: boolean;
  /** `Object{…}`, `JSONPatch{…}` and `jsonpatch.escapeKey` are declared. */
  readonly patchTypes: boolean;
}

/** The result types that an expression may have; compared exactly, so that `dyn` is refused. */
export type ExpressionResult = 'any' | 'bool' | 'string' | 'stringOrNull' | 'object' | 'jsonPatch';

/** Which libraries an expression may use (apiserver's environment.Type). */
export type ExpressionEnvironment =
  /** Those that the version before the server's has too: for expressions that are new. */
  | 'new'
  /** All: for expressions that are stored already and for evaluation. */
  | 'stored';

/** An expression with its expected result type. */
export interface ExpressionRequest {
  readonly expression: string;
  readonly scope: ExpressionScope;
  readonly result: ExpressionResult;
  readonly environment: ExpressionEnvironment;
  /** Whether mutations may read the value of the variable: they treat sums of lists differently from other lists. */
  readonly tellsSums?: boolean;
  /** The position of the expression, for observers. */
  readonly home?: ExpressionHome | undefined;
}

/** The position of an expression in a policy. */
export interface ExpressionHome {
  readonly spec: PolicySpec;
  /** Its path in the policy: `spec.validations[0].expression`. */
  readonly path: string;
  /**
   * Returns the original source of an expression that was derived from the one at this position; absent for the
   * original itself.
   */
  readonly asWritten?: ((expression: string) => string) | undefined;
}

/** Why an expression does not compile, with kube-apiserver's text. */
export interface ExpressionProblem {
  readonly type: 'invalid' | 'internal';
  readonly detail: string;
}

/**
 * Compiles the expressions of one policy.
 *
 * A composing compiler also knows `variables`, to which {@link ExpressionChecker.define} adds one
 * after the other.
 */
export interface ExpressionChecker {
  /** The problem of an expression; `undefined` when it compiles. */
  check(request: ExpressionRequest): ExpressionProblem | undefined;
  /** Adds a variable that later expressions can use, even if it does not compile itself. */
  define(name: string, request: ExpressionRequest): ExpressionProblem | undefined;
}

/** Makes the compilers that the validation of policies asks. */
export interface ExpressionCheckers {
  /** The minor version of the server's code. */
  readonly code: number;
  /** One without `variables`, for match conditions and policies that have none. */
  readonly plain: ExpressionChecker;
  /** A new one with `variables`. */
  composing(): ExpressionChecker;
}
