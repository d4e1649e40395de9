import type { CheckedExpression } from '../declarations/checked-expression.ts';
import { type Bindings, looksPlain } from '../plan/bindings.ts';
import type { PlanOptions } from '../plan/planner.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import type { ParseResult } from '../syntax/parser.ts';
import type { Source } from '../syntax/source.ts';
import { type ToJsOptions, toJsOrError } from '../values/to-js.ts';
import { dynType, type Type } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';
import { ExpressionError } from './expression-error.ts';
import { hintForFailure } from './hints.ts';
import { type EvaluateOptions, noOptions, Program } from './program.ts';

/** The values of variables by name, as JavaScript has them. */
export type Variables = object;

/** The limits of one evaluation, and how its result is converted to JavaScript. */
export interface EvaluatorOptions
  extends ToJsOptions,
    Pick<EvaluateOptions, 'costLimit' | 'isCancelled'> {}

/** An expression that is read, checked and planned once; call it with the values of its variables. */
export interface Evaluator {
  /** Returns the result as a value of JavaScript. Throws an {@link ExpressionError}. */
  (variables?: Variables, options?: EvaluatorOptions): unknown;
  /** The expression as it was given. */
  readonly text: string;
  /** The names of the variables that it reads. */
  readonly variables: readonly string[];
  /** The static type of the result, such as `list(int)`; `dyn` if there are issues. */
  readonly type: Type;
  /** Type errors; calls throw them. */
  readonly issues: readonly Issue[];
}

/** Compiles expressions with fixed declarations. */
export interface EvaluatorEnvironment {
  parse(text: string): ParseResult;
  compile(parsed: ParseResult): {
    readonly checked?: CheckedExpression;
    readonly issues: readonly Issue[];
  };
  plan(checked: CheckedExpression, options?: PlanOptions): Program | CelError;
}

/**
 * Creates an evaluator. The expression is parsed now, and checked on the first call or inspection.
 *
 * @throws ExpressionError for a syntax error
 */
export function makeEvaluator(environment: EvaluatorEnvironment, text: string): Evaluator {
  const parsed = environment.parse(text);
  if (parsed.expression === undefined) {
    throw new ExpressionError(parsed.source, environment.compile(parsed).issues);
  }
  const prepared = new Prepared(environment, parsed, text);
  const run = (
    variables: Variables = noOptions,
    options: EvaluatorOptions = noOptions,
  ): unknown => {
    const { program } = prepared;
    // A plain object is looked at again only when something went wrong.
    const value =
      looksPlain(variables) && options === noOptions && program !== undefined
        ? program.evaluateToJs(variables)
        : evaluateWithCare(prepared, variables, options);
    if (typeof value !== 'object' || !(value instanceof CelError)) return value;
    requireVariables(variables);
    throw evaluationError(prepared, value, variables, options);
  };
  Object.defineProperty(run, preparedKey, { value: prepared });
  Object.setPrototypeOf(run, details);
  return run as Described;
}

/** Handles the rare calls: the first one, calls with options, and calls with something other than a plain object. */
function evaluateWithCare(
  prepared: Prepared,
  variables: Variables,
  options: EvaluatorOptions,
): unknown {
  if (!looksPlain(variables)) {
    requireVariables(variables);
  }
  if (options !== noOptions) requireOptions(options);
  const program = options.costLimit === undefined ? prepared.ready().program : prepared.counting();
  if (program === undefined) throw new ExpressionError(prepared.parsed.source, prepared.issues);
  return toJsOrError(program.evaluate(variables as Bindings, options).value, options);
}

const preparedKey: unique symbol = Symbol('prepared');

type Described = Evaluator & { readonly [preparedKey]: Prepared };

/** Properties that evaluators compute on access; shared, because own properties would cost each evaluator. */
const details: object = Object.create(Function.prototype, {
  text: {
    get(this: Described) {
      return this[preparedKey].text;
    },
  },
  variables: {
    get(this: Described) {
      return this[preparedKey].ready().program?.variables ?? [];
    },
  },
  type: {
    get(this: Described) {
      return this[preparedKey].ready().program?.type ?? dynType;
    },
  },
  issues: {
    get(this: Described) {
      return this[preparedKey].ready().issues;
    },
  },
});

/** Whether a value is a promise; a value whose `then` cannot be read is not. */
function isPromise(value: object): boolean {
  try {
    return typeof (value as { then?: unknown }).then === 'function';
  } catch {
    return false;
  }
}

const uncounted: PlanOptions = { countsCosts: false };

/** A parsed expression; it is checked and planned on its first use. */
class Prepared {
  readonly text: string;
  readonly parsed: ParseResult;
  /** Absent where there are issues. */
  program: Program | undefined = undefined;
  issues: readonly Issue[] = [];
  #checked: CheckedExpression | undefined = undefined;
  #counted: Program | CelError | undefined = undefined;
  #observed: Program | CelError | undefined = undefined;
  readonly #environment: EvaluatorEnvironment;
  #isReady = false;

  constructor(environment: EvaluatorEnvironment, parsed: ParseResult, text: string) {
    this.text = text;
    this.#environment = environment;
    this.parsed = parsed;
  }

  ready(): this {
    if (this.#isReady) return this;
    const { parsed } = this;
    const environment = this.#environment;
    const { checked, issues } = environment.compile(parsed);
    const program = checked && environment.plan(checked, uncounted);
    if (program instanceof Program) this.program = program;
    this.issues = program instanceof CelError ? [planIssue(parsed.source, program)] : issues;
    this.#checked = checked;
    this.#isReady = true;
    return this;
  }

  /** The program that counts its costs. */
  counting(): Program | undefined {
    if (this.ready().program === undefined || this.#checked === undefined) return undefined;
    this.#counted ??= this.#environment.plan(this.#checked);
    return this.#counted instanceof Program ? this.#counted : undefined;
  }

  /** The program that reports the value of each part. */
  observing(): Program | undefined {
    if (this.#checked === undefined) return undefined;
    this.#observed ??= this.#environment.plan(this.#checked, { observe: true });
    return this.#observed instanceof Program ? this.#observed : undefined;
  }
}

/** Returns the failure with its place, and the values that caused it. */
function evaluationError(
  prepared: Prepared,
  failure: CelError,
  variables: Variables,
  options: EvaluatorOptions,
): ExpressionError {
  const { source } = prepared.parsed;
  const values = new Map<Expression, Value>();
  const origins = new Map<Value, Origin>();
  const result = prepared.observing()?.evaluate(variables as Bindings, {
    ...options,
    observe: (part, value) => {
      values.set(part, value);
      if (!(value instanceof CelError) || origins.has(value)) return;
      const hint = hintForFailure(value.message, part, (each) => values.get(each));
      origins.set(value, { position: part.position, hint });
    },
  });
  const found = result?.value;
  const isSame = found instanceof CelError && found.message === failure.message;
  const { position = -1, hint } = (isSame ? origins.get(found) : undefined) ?? {};
  return new ExpressionError(source, [source.issue('evaluation', position, failure.message)], hint);
}

/** The part of an expression that an error comes from. */
interface Origin {
  readonly position: number;
  readonly hint: string | undefined;
}

function planIssue(source: Source, failure: CelError): Issue {
  const { position = -1 } = failure as { readonly position?: number };
  return source.issue('literal', position, failure.message);
}

/** The options of the functions that parse expressions, with the accepted words of each. */
const optionWords: ReadonlyMap<string, string> = new Map([
  ['environment', ''],
  ['variables', ''],
  ['costLimit', ''],
  ['isCancelled', ''],
  ['ints', 'number bigint'],
  ['timestamps', 'date text'],
  ['durations', 'value text'],
  ['maps', 'object map'],
]);

/**
 * Requires an options object with known names and words. Its messages are shorter than those of `requireOptions` in
 * `@kubeadmit/go`, to keep bundles of `evaluate` small.
 *
 * @throws TypeError for invalid options
 */
export function requireOptions(options: object): void {
  requireObject(options, 'options', 'such as `{ environment }`');
  for (const [name, value] of Object.entries(options)) {
    const words = optionWords.get(name);
    if (words === undefined) {
      throw new TypeError(
        `unknown option \`${name}\`; expected one of ${[...optionWords.keys()].join(', ')}`,
      );
    }
    if (words && value !== undefined && !words.split(' ').includes(value)) {
      throw new TypeError(`\`${name}\` must be one of ${words.split(' ').join(', ')}`);
    }
  }
}

function requireVariables(variables: Variables): void {
  requireObject(variables, 'variables', 'the values by the names of the variables');
}

/**
 * Requires an object of names and values.
 *
 * @throws TypeError for anything else
 */
function requireObject(value: unknown, name: string, what: string): void {
  if (typeof value === 'object' && value !== null && !isCollection(value)) {
    if (!isPromise(value)) return;
    throw new TypeError(`the ${name} are a Promise: wait for them (\`await\`) before`);
  }
  throw new TypeError(`the ${name} must be an object: ${what}`);
}

function isCollection(value: object): boolean {
  return (
    Array.isArray(value) || value instanceof Map || value instanceof Set || value instanceof Date
  );
}
