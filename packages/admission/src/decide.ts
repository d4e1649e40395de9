import type { Decision } from './decision.ts';
import { mutateRequest } from './mutate-request.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { validateRequest } from './validate-request.ts';

/**
 * Runs a request through all mutating policies, once more where they ask for it, and then through all
 * validating ones, as kube-apiserver's admission plugins do.
 */
export function decide(prepared: PreparedRequest): Decision {
  const mutated = mutateRequest(prepared);
  if (mutated.denial !== undefined) return mutated;
  const { denial, object, warnings, auditAnnotations, trace } = validateRequest(
    prepared,
    mutated.object,
  );
  const both = mutated.trace.length === 0 ? trace : [...mutated.trace, ...trace];
  return { denial, object, warnings, auditAnnotations, trace: both };
}
