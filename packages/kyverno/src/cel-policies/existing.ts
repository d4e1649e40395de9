import { type JsonObject, textOf } from '@kubeadmit/apimachinery';
import { CelError, type Value } from '@kubeadmit/cel';
import { isList, isMap, mapGet } from '@kubeadmit/cel/values';
import type { RequestAttributes } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { contextValues } from './environment.ts';
import { lookupOf } from './evaluate.ts';
import { type MutationSubject, mutate } from './mutating.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import { type CelRequest, type CelResult, matchesConstraints, policyBindings } from './request.ts';

/** The result of one policy for an existing object, and the object after all policies. */
export interface ExistingResponse {
  readonly policy: CelPolicy;
  readonly result: CelResult;
  /** Undefined if the policy could not be evaluated. */
  readonly object: JsonObject | undefined;
}

/**
 * Lets MutatingPolicies change existing objects because of a request (the Kyverno CLI's `TargetResources`).
 *
 * The constraints for the request are not evaluated: every request counts.
 */
export function mutateExisting(
  policies: readonly CelPolicy[],
  trigger: CelRequest,
  existing: readonly RequestAttributes[],
  schemas: Schemas,
): readonly ExistingResponse[] {
  const choices: Choice[] = [];
  const responses: ExistingResponse[] = [];
  for (const policy of policies) {
    if (policy.problems.length > 0) continue;
    for (const spec of policy.specs) {
      if (spec.targets === undefined) continue;
      const choice = chooserOf(policy, spec, trigger);
      if ('problem' in choice) responses.push(choice.problem);
      else choices.push(choice);
    }
  }
  for (const attributes of existing)
    responses.push(...change(choices, trigger, attributes, schemas));
  return responses;
}

/** A spec and the objects that it is about. */
interface Choice {
  readonly policy: CelPolicy;
  readonly spec: CompiledSpec;
  readonly isChosen: (attributes: RequestAttributes) => boolean;
}

function chooserOf(
  policy: CelPolicy,
  spec: CompiledSpec,
  trigger: CelRequest,
): Choice | { readonly problem: ExistingResponse } {
  const { match, expression } = spec.targets ?? {};
  if (expression === undefined) {
    const { sources } = trigger;
    const isChosen = (attributes: RequestAttributes): boolean =>
      match !== undefined && matchesConstraints(match, { attributes, sources }) === true;
    return { policy, spec, isChosen };
  }
  const bindings: Readonly<Record<string, Value>> = {
    ...contextValues(trigger.sources),
    object: (trigger.attributes.object ?? {}) as Value,
  };
  const { value } = expression.evaluate(lookupOf(spec, bindings));
  if (value instanceof CelError) {
    const message = `failed to evaluate CEL expression for policy ${policy.name}: ${value.message}`;
    const result: CelResult = { rule: 'evaluation', status: 'error', message };
    return { problem: { policy, result, object: undefined } };
  }
  const keys = new Set(namedObjects(value).map(keyOfValue));
  return { policy, spec, isChosen: ({ namespace, name }) => keys.has(keyOf(namespace, name)) };
}

function change(
  choices: readonly Choice[],
  trigger: CelRequest,
  attributes: RequestAttributes,
  schemas: Schemas,
): readonly ExistingResponse[] {
  let object = attributes.object as JsonObject;
  const said: { readonly policy: CelPolicy; readonly result: CelResult }[] = [];
  for (const { policy, spec, isChosen } of choices) {
    if (!isChosen({ ...attributes, object: object as never })) continue;
    const subject = { object, kind: attributes.kind };
    const { result, object: changed } = mutateTarget(policy, spec, subject, trigger, schemas);
    said.push({ policy, result });
    object = changed ?? object;
  }
  return said.map((one) => ({ ...one, object }));
}

/** Mutates an existing object because of a request, by the conditions for targets. */
export function mutateTarget(
  policy: CelPolicy,
  spec: CompiledSpec,
  subject: MutationSubject,
  trigger: CelRequest,
  schemas: Schemas,
): ReturnType<typeof mutate> {
  const bindings = {
    ...policyBindings(trigger, true),
    object: subject.object as Value,
    oldObject: {},
    namespaceObject: null,
  };
  const asked = { ...spec, matchConditions: spec.targets?.conditions ?? [] };
  return mutate(policy, asked, subject, bindings, schemas);
}

/** Returns the objects in the value of an expression: its `items`, or itself. */
export function namedObjects(value: Value): readonly Value[] {
  const items = member(value, 'items') ?? null;
  return isList(items) ? items : [value];
}

function keyOfValue(object: Value): string {
  const metadata = member(object, 'metadata') ?? null;
  return keyOf(textOf(member(metadata, 'namespace')), textOf(member(metadata, 'name')));
}

/** As in Kyverno, only namespace and name identify an object. */
function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The value of a key of a map; undefined for other values. */
export function member(value: Value, name: string): Value | undefined {
  return isMap(value) ? mapGet(value, name) : undefined;
}
