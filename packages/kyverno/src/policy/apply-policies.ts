import type { JsonObject } from '@kubeadmit/apimachinery';
import { mutatePolicy, validatePolicy } from './engine.ts';
import type { Policy } from './policy.ts';
import { makeRequest, ObjectForms, type RequestSetting } from './request.ts';
import type { RuleResult } from './rule-result.ts';

export type { RequestSetting } from './request.ts';

/** What one policy says of an object, and the object afterwards. */
export interface PolicyResponse {
  readonly policy: Policy;
  readonly results: readonly RuleResult[];
  /** Undefined after an error, and where the request has no object. */
  readonly object: JsonObject | undefined;
}

/** What policies are applied to, and how. */
export interface ApplyOptions {
  /** The object before; the object itself where it is not given. */
  readonly oldObject?: JsonObject | undefined;
  /** The rules that are applied; mutate rules and then validate rules unless said otherwise. */
  readonly only?: 'mutate' | 'validate';
}

/**
 * Applies every policy with mutate rules in order, each to what the one before made, then every policy with
 * validate rules (the Kyverno CLI's order).
 */
export function applyPolicies(
  policies: readonly Policy[],
  given: JsonObject,
  settingOf: (policy: Policy) => RequestSetting,
  { oldObject, only }: ApplyOptions = {},
): readonly PolicyResponse[] {
  const responses: PolicyResponse[] = [];
  let forms: ObjectForms | undefined = new ObjectForms(given);
  const oldForms = oldObject === undefined ? undefined : new ObjectForms(oldObject);
  let object: JsonObject | undefined = given;
  const apply = (policy: Policy, evaluate: typeof mutatePolicy): void => {
    const setting = settingOf(policy);
    const { results, object: after } = evaluate(policy, makeRequest(setting, forms, oldForms));
    if (setting.operation !== 'DELETE' && after !== object) {
      object = after;
      const typed = setting.isCluster ? forms?.ofIntegers : undefined;
      forms = typed?.object === after ? typed : after && new ObjectForms(after);
    }
    responses.push({ policy, results, object });
  };
  if (only !== 'validate') {
    for (const policy of policies) if (policy.hasMutate) apply(policy, mutatePolicy);
  }
  if (only !== 'mutate') {
    for (const policy of policies) if (policy.hasValidate) apply(policy, validatePolicy);
  }
  return responses;
}
