import type { CheckedExpression } from './check/checked-expression.ts';
import { ExpressionError } from './expression-error.ts';
import type { PlanOptions } from './plan/planner.ts';
import { type Bindings, type EvaluateOptions, Program } from './program.ts';
import type { Expression } from './syntax/expression.ts';
import type { Issue } from './syntax/issue.ts';
import type { Source } from './syntax/source.ts';
import { dynType, type Type } from './types.ts';
import { type ToJsOptions, toJs } from './values/to-js.ts';
import { CelError, type Value } from './values/value.ts';

/** The values of variables by name, as JavaScript has them. */
export type Variables = object;

/** What one evaluation may do, and how its result becomes a value of JavaScript. */
export interface EvaluatorOptions
  extends ToJsOptions,
    Pick<EvaluateOptions, 'costLimit' | 'isCancelled'> {}

/** An expression that is read, checked and planned once; call it with the values of its variables. */
export interface Evaluator {
  /** Gives the result as a value of JavaScript. Throws an {@link ExpressionError}. */
  (variables?: Variables, options?: EvaluatorOptions): unknown;
  readonly text: string;
  /** The names of the variables that it reads. */
  readonly variables: readonly string[];
  /** The type of the result as far as it is known, such as `list(int)`; `dyn` where there are issues. */
  readonly type: Type;
  /** What is wrong with its types; calling it throws them. */
  readonly issues: readonly Issue[];
}

/** What makes programs of texts; see `Environment`. */
export interface EvaluatorEnvironment {
  compile(text: string): {
    readonly source: Source;
    readonly checked?: CheckedExpression;
    readonly issues: readonly Issue[];
  };
  plan(checked: CheckedExpression, options?: PlanOptions): Program | CelError;
}

/** Makes an evaluator. Throws an {@link ExpressionError} for a text that is no expression at all. */
export function makeEvaluator(environment: EvaluatorEnvironment, text: string): Evaluator {
  if (typeof text !== 'string') throw new TypeError('an expression is a string');
  const { source, checked, issues } = environment.compile(text);
  if (issues.some(({ code }) => code === 'syntax' || code === 'limit')) {
    throw new ExpressionError(source, issues);
  }
  const program = checked && environment.plan(checked);
  if (checked === undefined || !(program instanceof Program)) {
    const found = program instanceof CelError ? [planIssue(source, program)] : issues;
    const refuse = (): never => {
      throw new ExpressionError(source, found);
    };
    return describe(refuse, { text, variables: [], type: dynType, issues: found });
  }
  const prepared: Prepared = { environment, source, checked, program, observed: undefined };
  const run = (variables: Variables = none, options: EvaluatorOptions = none): unknown => {
    // A plain object is looked at again only when something went wrong.
    if (variables !== none && !isPlainObject(variables)) {
      requireObject(variables, 'variables', 'the values by the names of the variables');
    }
    if (options !== none) requireObject(options, 'options', 'such as `{ costLimit: 1000 }`');
    const { value } = program.evaluate(variables as Bindings, options);
    if (value instanceof CelError) {
      requireObject(variables, 'variables', 'the values by the names of the variables');
      throw evaluationError(prepared, value, variables, options);
    }
    return toJs(value, options);
  };
  const { variables, type } = program;
  return describe(run, { text, variables, type, issues: [] });
}

const none = {};

function isPlainObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function describe(
  run: (variables?: Variables, options?: EvaluatorOptions) => unknown,
  details: Pick<Evaluator, 'text' | 'variables' | 'type' | 'issues'>,
): Evaluator {
  return Object.assign(run, details);
}

interface Prepared {
  readonly environment: EvaluatorEnvironment;
  readonly source: Source;
  readonly checked: CheckedExpression;
  readonly program: Program;
  observed: Program | CelError | undefined;
}

/** The failure with its place: a second evaluation, which is observed, finds the part that it comes from. */
function evaluationError(
  prepared: Prepared,
  failure: CelError,
  variables: Variables,
  options: EvaluatorOptions,
): ExpressionError {
  const { environment, checked, source } = prepared;
  prepared.observed ??= environment.plan(checked, { observe: true });
  let position = -1;
  if (prepared.observed instanceof Program) {
    const origins = new Map<Value, Expression>();
    const { value } = prepared.observed.evaluate(variables as Bindings, {
      ...options,
      observe: (part, value) => {
        if (value instanceof CelError && !origins.has(value)) origins.set(value, part);
      },
    });
    if (value instanceof CelError && value.message === failure.message) {
      position = origins.get(value)?.position ?? -1;
    }
  }
  return new ExpressionError(source, [source.issue('evaluation', position, failure.message)]);
}

function planIssue(source: Source, failure: CelError): Issue {
  const { position = -1 } = failure as { readonly position?: number };
  return source.issue('literal', position, failure.message);
}

/** Throws a `TypeError` for what is no object of names and values. */
export function requireObject(value: unknown, name: string, what: string): void {
  if (typeof value === 'object' && value !== null && !isCollection(value)) {
    if (typeof (value as { then?: unknown }).then !== 'function') return;
    throw new TypeError(`the ${name} are a Promise: wait for them (\`await\`) before`);
  }
  throw new TypeError(`the ${name} have to be an object: ${what}`);
}

function isCollection(value: object): boolean {
  return (
    Object.getPrototypeOf(value) !== Object.prototype &&
    (Array.isArray(value) || value instanceof Map || value instanceof Set || value instanceof Date)
  );
}
