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
 * @throws TypeError for what `prepareRequest` did not give, or its `failure`
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
  const { denial, warnings, auditAnnotations, trace } = validateRequest(prepared, checked.object);
  const warned = forgiven.length === 0 ? warnings : [...forgiven, ...warnings];
  const both = mutated.trace.length === 0 ? trace : [...mutated.trace, ...trace];
  const { object } = mutated;
  return { denial, object, warnings: warned, auditAnnotations, trace: both };
}
