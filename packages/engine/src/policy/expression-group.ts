import { CelError, type Value } from '@kubeadmit/cel';
import { interruptedText, isInterrupted } from '@kubeadmit/cel/internal';
import { LazyVariables } from './lazy-variables.ts';
import type { Bindings, CompiledExpression, CompiledVariables } from './program.ts';

const outOfBudget =
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

/**
 * Evaluates expressions one after the other over the same bindings, sharing `variables` and a budget
 * (apiserver plugin/cel/condition.go); `undefined` stands for no expression at a place.
 */
export function evaluateGroup(
  expressions: readonly (CompiledExpression | undefined)[],
  bindings: Bindings,
  variables: CompiledVariables,
  budget: number,
): GroupResult {
  const results: (ExpressionResultValue | undefined)[] = [];
  const evaluator = new GroupEvaluator(bindings, variables, budget);
  for (let index = 0; index < expressions.length; index++) {
    const expression = expressions[index];
    // Whoever starts a group has looked at the time.
    const isLate = index > 0 && isInterrupted();
    const result = expression && (isLate ? failed(expression) : evaluator.evaluate(expression));
    if (result === outOfBudget) return { failure: outOfBudget };
    results.push(result);
  }
  return { results, remainingBudget: evaluator.budget };
}

// What most validations give.
const truth: ExpressionResultValue = { value: true };

function failed(
  { expression }: CompiledExpression,
  why: string = interruptedText,
): {
  readonly error: string;
} {
  return { error: `expression '${expression}' resulted in error: ${why}` };
}

class GroupEvaluator {
  budget: number;
  readonly #variables: LazyVariables;

  constructor(bindings: Bindings, variables: CompiledVariables, budget: number) {
    this.budget = budget;
    this.#variables = new LazyVariables(variables, bindings);
  }

  evaluate(compiled: CompiledExpression): ExpressionResultValue | typeof outOfBudget {
    if (compiled.problem !== undefined) {
      return { error: `compilation error: ${compiled.problem.detail}` };
    }
    if (compiled.program === undefined) {
      return { error: 'unexpected internal error compiling expression' };
    }
    const { value, cost } = compiled.program.evaluate(this.#variables.lookup);
    if (!this.#pay(this.#variables.takeCost()) || !this.#pay(cost)) return outOfBudget;
    if (value === true) return truth;
    if (!(value instanceof CelError)) return { value };
    return failed(compiled, value.message);
  }

  #pay(cost: number): boolean {
    if (cost > this.budget) return false;
    this.budget -= cost;
    return true;
  }
}
