import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import { withDoubles } from '../context/numbers.ts';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import { substitute } from '../variables/substitute.ts';
import { compileLoops, type Loop, mutateLoops } from './foreach.ts';
import { applyPatch, type MutationOutcome, mutationError, successMessage } from './patch.ts';
import { compileTarget, type Target } from './target.ts';

/** The handler of a rule with `mutate`: one patch, or one for each element of lists. */
type Patching = PatchHandler | LoopsHandler;

interface PatchHandler {
  readonly kind: 'patch';
  /** The whole rule, since any unresolved variable in it is an error. */
  readonly source: () => unknown;
}

interface LoopsHandler {
  readonly kind: 'loops';
  readonly loops: readonly Loop[];
}

/** A rule with `mutate`: it patches the object of the request, or existing objects where it names targets. */
export interface Mutation {
  readonly patching: Patching;
  readonly targets: readonly Target[] | undefined;
}

/** Reads a rule with `mutate`. */
export function compileMutation(rule: Rule, mutate: JsonObject): Mutation {
  return {
    patching:
      field(mutate, 'foreach') === undefined
        ? { kind: 'patch', source: lazily(() => withDoubles(rule.source)) }
        : { kind: 'loops', loops: compileLoops(mutate) },
    targets:
      field(mutate, 'targets') === undefined
        ? undefined
        : objectsField(mutate, 'targets').map(compileTarget),
  };
}

/** Applies a mutate rule to an object: that of the request, or an existing one. */
export function mutateObject(
  request: PolicyRequest,
  { patching }: Mutation,
  object: JsonObject | undefined,
): MutationOutcome {
  const outcome =
    patching.kind === 'patch'
      ? patchByRule(request, patching, object)
      : mutateLoops(request, patching.loops, object, 0);
  return outcome.status === 'pass'
    ? { ...outcome, message: successMessage(outcome.object) }
    : outcome;
}

function patchByRule(
  request: PolicyRequest,
  { source }: PatchHandler,
  object: JsonObject | undefined,
): MutationOutcome {
  const substituted = substitute(request.context, source());
  if (substituted instanceof Failure) {
    return mutationError('variable substitution failed', substituted.message);
  }
  const mutate = isObject(substituted) ? objectField(substituted, 'mutate') : undefined;
  if (mutate === undefined) return mutationError('empty mutate rule');
  return applyPatch(
    object,
    field(mutate, 'patchStrategicMerge'),
    stringField(mutate, 'patchesJson6902'),
    request.context.trace,
  );
}
