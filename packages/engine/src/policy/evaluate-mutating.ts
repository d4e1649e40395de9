import { type Expected, requireArgument, requireValue } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import type { GoFormOf } from '@kubeadmit/cel/unstable-internal';
import { requestBudget } from '../environment/limits.ts';
import type { CompiledMutation } from './compile-policy.ts';
import { evaluateGroup } from './expression-group.ts';
import type { Bindings, CompiledVariables } from './program.ts';

/** The result of a mutation's expression: a value or an error message. */
export type MutationValue =
  /** The value: an object of the patch type that the mutation has, as CEL holds it. */
  | { readonly value: Value; readonly error?: undefined }
  /** The error message, for the failure policy. */
  | { readonly error: string };

const compiledMutation: Expected = {
  what: 'a mutation of a policy from `compileMutatingPolicy`',
  has: 'compiled',
};
const values: Expected = { what: 'values by the names of variables' };
const compiledVariables: Expected = {
  what: 'the variables of a policy from `compileMutatingPolicy`',
};

/**
 * Evaluates the expression of one mutation, with its own budget and variables (apiserver plugin/cel/mutation.go).
 *
 * @throws TypeError if the mutation was not compiled
 */
export function evaluateMutation(
  mutation: CompiledMutation,
  bindings: Bindings,
  variables: CompiledVariables,
  formOf?: GoFormOf,
): MutationValue {
  requireArgument('evaluateMutation', mutation, compiledMutation);
  if (typeof bindings !== 'function') requireArgument('evaluateMutation', bindings, values);
  requireArgument('evaluateMutation', variables, compiledVariables);
  if (formOf !== undefined) requireValue('evaluateMutation', formOf, 'function', 'a function');
  const { compiled } = mutation;
  if (compiled.problem !== undefined) return { error: compiled.problem.detail };
  const group = evaluateGroup([compiled], bindings, variables, requestBudget, formOf);
  if (group.failure !== undefined) return { error: group.failure };
  const result = group.results[0];
  return result?.error === undefined ? { value: result?.value ?? null } : { error: result.error };
}
