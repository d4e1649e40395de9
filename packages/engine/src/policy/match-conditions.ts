import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import type { GoFormOf } from '@kubeadmit/cel/unstable-internal';
import { matchConditionsBudget } from '../environment/limits.ts';
import { evaluateGroup } from './expression-group.ts';
import type { Bindings, CompiledExpression, CompiledVariables } from './program.ts';

export interface CompiledMatchCondition {
  readonly name: string;
  readonly compiled: CompiledExpression;
}

/** The result of a policy's match conditions. */
export type ConditionsResult =
  | { readonly outcome: 'match' }
  /** A condition is false; `condition` is its name. */
  | { readonly outcome: 'noMatch'; readonly condition: string }
  /** Conditions failed and the failure policy takes that for no match. */
  | { readonly outcome: 'ignored'; readonly message: string }
  | { readonly outcome: 'error'; readonly message: string };

/**
 * Evaluates the match conditions of a policy (apiserver webhook/matchconditions): one that is false
 * wins over errors, and errors are up to the failure policy.
 */
export function evaluateMatchConditions(
  conditions: readonly CompiledMatchCondition[],
  bindings: Bindings,
  variables: CompiledVariables,
  failurePolicy: string,
  formOf?: GoFormOf,
): ConditionsResult {
  if (conditions.length === 0) return { outcome: 'match' };
  const failed = failurePolicy === 'Ignore' ? 'ignored' : 'error';
  const expressions = conditions.map(({ compiled }) => compiled);
  const group = evaluateGroup(expressions, bindings, variables, matchConditionsBudget, formOf);
  if (group.failure !== undefined) return { outcome: failed, message: group.failure };
  const errors: string[] = [];
  for (const [i, result] of group.results.entries()) {
    if (result?.error !== undefined) errors.push(result.error);
    if (result?.value === false) {
      return { outcome: 'noMatch', condition: conditions[i]?.name ?? '' };
    }
  }
  if (errors.length === 0) return { outcome: 'match' };
  return { outcome: failed, message: formatAggregate(errors) };
}
