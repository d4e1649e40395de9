import type { Value } from '@kubeadmit/cel';
import type { GoFormOf } from '@kubeadmit/cel/internal';
import { requestBudget } from '../environment/limits.ts';
import type { CompiledMutation } from './compile-policy.ts';
import { evaluateGroup } from './expression-group.ts';
import type { Bindings, CompiledVariables } from './program.ts';

/** What the expression of a mutation gave: a value, or the text of an error. */
export type MutationValue =
  /** The value: an object of the patch type that the mutation has, as CEL holds it. */
  | { readonly value: Value; readonly error?: undefined }
  /** Why there is none, for the failure policy. */
  | { readonly error: string };

/**
 * Evaluates the expression of one mutation, with a budget and variables of its own (apiserver
 * plugin/cel/mutation.go).
 */
export function evaluateMutation(
  { compiled }: CompiledMutation,
  bindings: Bindings,
  variables: CompiledVariables,
  formOf?: GoFormOf,
): MutationValue {
  if (compiled.problem !== undefined) return { error: compiled.problem.detail };
  const group = evaluateGroup([compiled], bindings, variables, requestBudget, formOf);
  if (group.failure !== undefined) return { error: group.failure };
  const result = group.results[0];
  return result?.error === undefined ? { value: result?.value ?? null } : { error: result.error };
}
