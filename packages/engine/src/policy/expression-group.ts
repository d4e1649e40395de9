import { CelError, type Value } from '@kubeadmit/cel';
import { type GoFormOf, interruptedText, isInterrupted } from '@kubeadmit/cel/unstable-internal';
import { LazyVariables } from './lazy-variables.ts';
import type { Bindings, CompiledExpression, CompiledVariables } from './program.ts';

/** kube-apiserver's message if the rules of a policy or definition exceed the cost budget. */
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

/** Expressions that are evaluated one after the other, `undefined` for none at a place. */
type Expressions = readonly (CompiledExpression | undefined)[];

/**
 * Evaluates expressions one after the other over the same bindings, sharing `variables` and a budget
 * (apiserver plugin/cel/condition.go); `undefined` stands for no expression at a place.
 */
export function evaluateGroup(
  expressions: Expressions,
  bindings: Bindings,
  compiled: CompiledVariables,
  allowed: number,
  formOf?: GoFormOf,
): GroupResult {
  let budget = allowed;
  // Allocated with the first result that is not true, so that allowed requests allocate nothing.
  let results: (ExpressionResultValue | undefined)[] | undefined;
  // Created for the first expression that reads them: most policies have none.
  let variables: LazyVariables | undefined;
  for (let index = 0; index < expressions.length; index++) {
    const expression = expressions[index];
    const program = expression?.program;
    let result: ExpressionResultValue | undefined;
    // The caller has checked the time before the first one.
    if (expression !== undefined && index > 0 && isInterrupted()) {
      result = failed(expression, interruptedText);
    } else if (expression?.problem !== undefined || (expression && program === undefined)) {
      result = notCompiled(expression);
    } else if (expression !== undefined && program !== undefined) {
      let lookup = bindings;
      if (program.readsVariables || typeof lookup !== 'function') {
        variables ??= new LazyVariables(compiled, bindings, formOf);
        lookup = variables.lookup;
      }
      const { value, cost } = program.evaluate(lookup, formOf);
      const total = variables === undefined ? cost : cost + variables.takeCost();
      if (total > budget) return { failure: outOfBudget };
      budget -= total;
      if (value === true) result = truth;
      else result = value instanceof CelError ? failed(expression, value.message) : { value };
    }
    if (results === undefined && result === truth) continue;
    results ??= new Array(index).fill(truth);
    results.push(result);
  }
  return { results: results ?? truths(expressions.length), remainingBudget: budget };
}

function notCompiled({ problem }: CompiledExpression): ExpressionResultValue {
  const error =
    problem === undefined
      ? 'unexpected internal error compiling expression'
      : `compilation error: ${problem.detail}`;
  return { error };
}

function failed({ expression }: CompiledExpression, why: string): ExpressionResultValue {
  return { error: `expression '${expression}' resulted in error: ${why}` };
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

// The result of most validations.
const truth: ExpressionResultValue = Object.freeze({ value: true });
