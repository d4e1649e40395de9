import { requirePrepared } from './arguments.ts';
import { checkDefinition } from './check-definition.ts';
import type { Decision } from './decision.ts';
import { mutateRequest } from './mutate-request.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { validateRequest } from './validate-request.ts';

/**
 * Runs a request through all mutating policies, once more where they ask for it, holds a custom resource against its
 * definition, and asks all validating policies, as kube-apiserver does.
 *
 * @throws TypeError for a value that `prepareRequest` did not return, or its `failure`
 */
export function decide(prepared: PreparedRequest): Decision {
  requirePrepared('decide', prepared);
  const mutated = mutateRequest(prepared);
  if (mutated.denial !== undefined) return mutated;
  const checked = checkDefinition(prepared, mutated.object);
  const { warnings: forgiven = [] } = checked;
  if (checked.denial !== undefined) {
    return { ...mutated, denial: checked.denial, warnings: [...mutated.warnings, ...forgiven] };
  }
  return bothDecisions(mutated, validateRequest(prepared, checked.object), forgiven);
}

/**
 * Joins the decisions of the two phases: the object as mutated, and the reports of both.
 *
 * @param between the warnings of the validation between the phases
 */
function bothDecisions(
  mutated: Decision,
  validated: Decision,
  between: readonly string[],
): Decision {
  const { denial, auditAnnotations } = validated;
  const joined = <Item>(a: readonly Item[] = [], b: readonly Item[] = []): readonly Item[] =>
    a.length === 0 ? b : [...a, ...b];
  const decision: Decision = {
    denial,
    object: mutated.object,
    warnings: joined(joined(mutated.warnings, between), validated.warnings),
    auditAnnotations:
      mutated.auditAnnotations === undefined
        ? auditAnnotations
        : { ...mutated.auditAnnotations, ...auditAnnotations },
    trace: joined(mutated.trace, validated.trace),
  };
  if (mutated.pluginTrace === undefined && validated.pluginTrace === undefined) return decision;
  return {
    ...decision,
    pluginTrace: joined(mutated.pluginTrace, validated.pluginTrace),
    pluginWrites: denial === undefined ? joined(mutated.pluginWrites, validated.pluginWrites) : [],
  };
}
