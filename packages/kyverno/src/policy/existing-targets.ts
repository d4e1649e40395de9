import type { JsonObject } from '@kubeadmit/apimachinery';
import { loadEntries } from '../context/entries.ts';
import type { Mutation } from '../mutate/rule.ts';
import { type FindTargets, mutateTargets, type TargetOutcome } from '../mutate/targets.ts';
import { makeRequest, ObjectForms, PolicyRequest, type RequestSetting } from '../rule/request.ts';
import { backgroundOutcome, concernsObject } from './background.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { concerns } from './engine.ts';
import type { Policy } from './policy.ts';

interface ExistingRule extends CompiledRule {
  readonly mutation: Mutation & { readonly targets: NonNullable<Mutation['targets']> };
}

/** Returns the rules of a policy that mutate existing objects, in their order. */
export function existingRules(policy: Policy): readonly ExistingRule[] {
  return policy
    .mutationRules()
    .filter((rule): rule is ExistingRule => rule.mutation?.targets !== undefined);
}

/** An object because of which existing objects are mutated, and the object before its change. */
export interface ChangedObject {
  readonly object: JsonObject;
  readonly oldObject: JsonObject | undefined;
}

/** The surroundings of a change. */
export interface ChangeSetting {
  readonly setting: RequestSetting;
  /** Reads the existing objects. */
  readonly find: FindTargets;
}

/**
 * Returns the existing objects as a rule of a policy mutates them because of a change of an object (Kyverno's
 * `mutateExistingController`). The rule sees a deleted object as the new one, too.
 */
export function mutateExistingTargets(
  policy: Policy,
  name: string,
  { object, oldObject }: ChangedObject,
  { setting, find }: ChangeSetting,
): readonly TargetOutcome[] {
  const isDeletion = setting.operation === 'DELETE';
  const forms = new ObjectForms(object);
  const old = oldObject === undefined ? forms : new ObjectForms(oldObject);
  const made = makeRequest(isDeletion ? { ...setting, operation: 'UPDATE' } : setting, forms, old);
  const request = isDeletion ? { ...made, operation: setting.operation } : made;
  const state = new PolicyRequest(request, policy.namespace);
  const rule = existingRules(policy).find((each) => each.name === name);
  if (rule === undefined || !concerns(policy, state)) return [];
  return state.duringRule(name, () => mutateByRule(state, policy, rule, find));
}

function mutateByRule(
  state: PolicyRequest,
  policy: Policy,
  rule: ExistingRule,
  find: FindTargets,
): readonly TargetOutcome[] {
  if (!concernsObject(state, policy, rule, 'object')) return [];
  const unloaded = loadEntries(state.context, rule.context, state.sources, state.policyNamespace);
  if (unloaded !== undefined) {
    const message = `failed to load rule level context: ${unloaded.message}`;
    return [{ status: 'error', message }];
  }
  const outcome = backgroundOutcome(state, policy, rule);
  if (outcome === undefined || outcome.status === 'skip' || outcome.status === 'fail') return [];
  if (outcome.status === 'error') return [{ status: 'error', message: outcome.message }];
  return mutateTargets(state, rule.mutation, rule.mutation.targets, find);
}
