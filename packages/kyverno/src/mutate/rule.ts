import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { withDoubles } from '../context/numbers.ts';
import { Failure } from '../jmespath/failure.ts';
import { field, objectField, objectsField, stringField } from '../policy/fields.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Rule } from '../policy/rule.ts';
import { substitute } from '../variables/substitute.ts';
import { mutateLoops } from './foreach.ts';
import { applyPatch, type MutationOutcome, mutationError, successMessage } from './patch.ts';

/** Applies a mutate rule to an object: that of the request, or an existing one. */
export function mutateObject(
  request: PolicyRequest,
  rule: Rule,
  mutate: JsonObject,
  object: JsonObject | undefined,
): MutationOutcome {
  const outcome =
    field(mutate, 'foreach') === undefined
      ? patchByRule(request, rule, object)
      : mutateLoops(request, objectsField(mutate, 'foreach'), object, 0);
  return outcome.status === 'pass'
    ? { ...outcome, message: successMessage(outcome.object) }
    : outcome;
}

const plainSources = new WeakMap<Rule, unknown>();

/** The whole rule is substituted, so that any unresolved variable in it is an error. */
function patchByRule(
  request: PolicyRequest,
  rule: Rule,
  object: JsonObject | undefined,
): MutationOutcome {
  const source = plainSources.get(rule) ?? withDoubles(rule.source);
  plainSources.set(rule, source);
  const substituted = substitute(request.context, source);
  if (substituted instanceof Failure) {
    return mutationError('variable substitution failed', substituted.message);
  }
  const mutate = isObject(substituted) ? objectField(substituted, 'mutate') : undefined;
  if (mutate === undefined) return mutationError('empty mutate rule');
  return applyPatch(
    object,
    field(mutate, 'patchStrategicMerge'),
    stringField(mutate, 'patchesJson6902'),
  );
}
