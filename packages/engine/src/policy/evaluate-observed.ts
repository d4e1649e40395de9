import type { Bindings, EvaluateOptions, Evaluation, Program, Value } from '@kubeadmit/cel';
import type { Expression } from '@kubeadmit/cel/syntax';
import type { CheckedExpression, GoFormOf } from '@kubeadmit/cel/unstable-internal';

/** The result of one evaluation, with the values of the inner expressions. */
export interface EvaluationWithValues extends Evaluation {
  readonly checked: CheckedExpression;
  /** Every value that an expression within had, in the order of evaluation. */
  readonly values: readonly { readonly expression: Expression; readonly value: Value }[];
}

/**
 * Evaluates, and records the values of the expressions within.
 *
 * @param program planned with `observe`.
 */
export function evaluateObserved(
  program: Program,
  checked: CheckedExpression,
  bindings: Bindings,
  options: Omit<EvaluateOptions, 'observe'> = {},
  formOf?: GoFormOf,
): EvaluationWithValues {
  const values: { expression: Expression; value: Value }[] = [];
  const observe: EvaluateOptions['observe'] = (expression, value) =>
    values.push({ expression, value });
  const evaluation = program.evaluate(bindings, { ...options, observe }, formOf);
  return { checked, values, ...evaluation };
}
