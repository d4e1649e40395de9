import { CelError, type Value } from '@kubeadmit/cel';
import { type GoFormOf, interruptedText, isInterrupted } from '@kubeadmit/cel/internal';
import { LazyVariables } from './lazy-variables.ts';
import type {
  Bindings,
  CompiledExpression,
  CompiledVariables,
  Lookup,
  PolicyProgram,
} from './program.ts';

/** What kube-apiserver says where the rules of a policy or definition cost more than they may. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** The result of one expression: a value, or the text of an error. */
export type ExpressionResultValue =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

/** The results of a group of expressions, or why the whole group failed. */
export type GroupResult =
  | {
      readonly results: readonly (ExpressionResultValue | undefined)[];
      readonly remainingBudget: number;
      readonly failure?: undefined;
    }
  | { readonly failure: string };

/** Asked between expressions: whether evaluation is to pause. */
export type Pauses = () => boolean;

/**
 * Evaluates expressions one after the other over the same bindings, sharing `variables` and a budget
 * (apiserver plugin/cel/condition.go); `undefined` stands for no expression at a place.
 */
export function evaluateGroup(
  expressions: readonly (CompiledExpression | undefined)[],
  bindings: Bindings,
  variables: CompiledVariables,
  budget: number,
  formOf?: GoFormOf,
): GroupResult {
  return new ExpressionGroup(expressions, bindings, variables, budget, formOf).run();
}

/** Whether every expression of a group was true. */
export function isAllTrue(results: readonly unknown[]): boolean {
  return results === allTrue[results.length];
}

// By their number; frozen, since all groups that are true have them.
const allTrue: (readonly ExpressionResultValue[])[] = [];

function truths(count: number): readonly ExpressionResultValue[] {
  const known = allTrue[count];
  if (known !== undefined) return known;
  const made = Object.freeze(Array.from({ length: count }, () => truth));
  allTrue[count] = made;
  return made;
}

// What most validations give.
const truth: ExpressionResultValue = Object.freeze({ value: true });

function failed(
  { expression }: CompiledExpression,
  why: string = interruptedText,
): {
  readonly error: string;
} {
  return { error: `expression '${expression}' resulted in error: ${why}` };
}

/** The expressions of a group with what they share, as `evaluateGroup` has them, and how far their evaluation is. */
export class ExpressionGroup {
  readonly #expressions: readonly (CompiledExpression | undefined)[];
  readonly #bindings: Bindings;
  readonly #compiled: CompiledVariables;
  #budget: number;
  readonly #formOf: GoFormOf | undefined;
  #next = 0;
  /** Made with the first result that is not true: what lets requests in makes no garbage. */
  #results: (ExpressionResultValue | undefined)[] | undefined = undefined;
  /** Made for the first expression that reads them: most policies have none. */
  #variables: LazyVariables | undefined = undefined;

  constructor(
    expressions: readonly (CompiledExpression | undefined)[],
    bindings: Bindings,
    variables: CompiledVariables,
    budget: number,
    formOf: GoFormOf | undefined,
  ) {
    this.#expressions = expressions;
    this.#bindings = bindings;
    this.#compiled = variables;
    this.#budget = budget;
    this.#formOf = formOf;
  }

  /** Evaluates what is left. */
  run(): GroupResult;
  /** Pauses where that is wanted, before an expression that is not the first: `undefined`; call it again to go on. */
  run(pauses: Pauses | undefined): GroupResult | undefined;
  run(pauses?: Pauses): GroupResult | undefined {
    const expressions = this.#expressions;
    const first = this.#next;
    for (let index = first; index < expressions.length; index++) {
      if (index > first && pauses?.()) {
        this.#next = index;
        return undefined;
      }
      const expression = expressions[index];
      // Whoever starts a group has looked at the time.
      const isLate = index > 0 && isInterrupted();
      const result = expression && (isLate ? failed(expression) : this.#evaluate(expression));
      if (result === outOfBudget) return { failure: outOfBudget };
      if (this.#results === undefined && result === truth) continue;
      this.#results ??= Array.from({ length: index }, () => truth);
      this.#results.push(result);
    }
    return {
      results: this.#results ?? truths(expressions.length),
      remainingBudget: this.#budget,
    };
  }

  #evaluate(compiled: CompiledExpression): ExpressionResultValue | typeof outOfBudget {
    if (compiled.problem !== undefined) {
      return { error: `compilation error: ${compiled.problem.detail}` };
    }
    const { program } = compiled;
    if (program === undefined) return { error: 'unexpected internal error compiling expression' };
    const { value, cost } = program.evaluate(this.#lookupFor(program), this.#formOf);
    if (!this.#pay(this.#variables?.takeCost() ?? 0) || !this.#pay(cost)) return outOfBudget;
    if (value === true) return truth;
    if (!(value instanceof CelError)) return { value };
    return failed(compiled, value.message);
  }

  #lookupFor({ readsVariables }: PolicyProgram): Lookup {
    const bindings = this.#bindings;
    if (!readsVariables && typeof bindings === 'function') return bindings;
    this.#variables ??= new LazyVariables(this.#compiled, bindings, this.#formOf);
    return this.#variables.lookup;
  }

  #pay(cost: number): boolean {
    if (cost > this.#budget) return false;
    this.#budget -= cost;
    return true;
  }
}
