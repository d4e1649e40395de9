import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatJson, sortMembers } from '@kubeadmit/go';
import { withDoubles, withIntegers } from '../context/numbers.ts';
import { metadataText, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { RuleStatus } from '../trace/rule-result.ts';
import type { RuleTracer } from '../trace/rule-trace.ts';
import { applyAsWritten, applyJsonPatch } from './json-patch.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

/** The result of applying a patch to an object. */
export interface MutationOutcome {
  readonly status: RuleStatus;
  readonly message: string;
  /** The object afterwards; undefined after an error. */
  readonly object: JsonObject | undefined;
}

/** An error with the text that Kyverno puts before its cause. */
export function mutationError(message: string, cause?: string): MutationOutcome {
  const text = cause === undefined ? message : `${message}: ${cause}`;
  return { status: 'error', message: text, object: undefined };
}

/** Applies a strategic merge patch, or a JSON patch, to an object; integers of the result are bigint. */
export function applyPatch(
  object: JsonObject | undefined,
  strategicMerge: unknown,
  jsonPatch: string,
  trace?: RuleTracer | undefined,
): MutationOutcome {
  const isMerge = strategicMerge !== null && strategicMerge !== undefined;
  const outcome = patchWith(object, isMerge, isMerge ? strategicMerge : jsonPatch);
  trace?.add({
    kind: 'patch',
    form: isMerge ? 'patchStrategicMerge' : 'patchesJson6902',
    patch: isMerge ? strategicMerge : jsonPatch,
    before: object,
    after: outcome.object,
    status: outcome.status,
    message: outcome.message,
  });
  return outcome;
}

function patchWith(
  object: JsonObject | undefined,
  isMerge: boolean,
  patch: unknown,
): MutationOutcome {
  if (!isMerge && patch === '') return mutationError('empty mutate rule');
  const before = object === undefined ? null : (sortMembers(withDoubles(object)) as JsonObject);
  const patched = isMerge
    ? applyStrategicMerge(before, patch)
    : applyJsonPatch(before, String(patch));
  if (patched instanceof Failure) return mutationError('failed to patch resource', patched.message);
  const plain = withDoubles(patched);
  const after = isMerge ? sortMembers(plain) : plain;
  if (isSameJson(after, before)) {
    const written = isMerge ? undefined : applyAsWritten(before, String(patch));
    if (written === undefined || isSameJson(written, before)) {
      return { status: 'skip', message: 'no patches applied', object };
    }
  }
  if (Array.isArray(patched)) {
    const reason = 'json: cannot unmarshal array into Go value of type map[string]interface {}';
    return mutationError('failed to unmarshal patched resource', reason);
  }
  if (!isObject(patched) || stringField(patched, 'kind') === '') {
    return mutationError(
      'failed to unmarshal patched resource',
      `Object 'Kind' is missing in '${formatJson(after)}'`,
    );
  }
  const typed = withIntegers(patched);
  return { status: 'pass', message: 'resource patched', object: isObject(typed) ? typed : patched };
}

/** Whether two values are the same JSON, members in the same order. */
function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) if (!isSameJson(left[at], right[at])) return false;
    return true;
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  const others = Object.keys(right);
  if (keys.length !== others.length) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? '';
    if (key !== others[at] || !isSameJson(left[key], right[key])) return false;
  }
  return true;
}

/** Returns Kyverno's message for a mutated object. */
export function successMessage(object: JsonObject | undefined): string {
  if (object === undefined) return 'mutated resource';
  const namespace = metadataText(object, 'namespace');
  const what = `mutated ${stringField(object, 'kind')}/${metadataText(object, 'name')}`;
  return namespace === '' ? what : `${what} in namespace ${namespace}`;
}
