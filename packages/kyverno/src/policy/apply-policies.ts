import type { JsonObject } from '@kubeadmit/apimachinery';
import { describeValue, hasMembers, requireArgument, requireOptions } from '@kubeadmit/base';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import { makeRequest, ObjectForms, type Request, type RequestSetting } from '../rule/request.ts';
import type { RuleResult } from '../trace/rule-result.ts';
import { type Evaluation, mutatePolicy, validatePolicy, verifyPolicyImages } from './engine.ts';
import { generateByPolicy } from './generate-policy.ts';
import type { Policy } from './policy.ts';

export type { RequestSetting } from '../rule/request.ts';

/** The result of one policy for an object, and the object afterwards. */
export interface PolicyResponse {
  /** The policy. */
  readonly policy: Policy;
  /** Of its rules, in their order. */
  readonly results: readonly RuleResult[];
  /** Undefined after an error, and where the request has no object. */
  readonly object: JsonObject | undefined;
}

/** How policies are applied. */
export interface ApplyOptions {
  /** The object before; the object itself where it is not given. */
  readonly oldObject?: JsonObject | undefined;
  /** The rules that are applied (default: those that mutate, then those that verify images, then those that validate). */
  readonly only?: 'mutate' | 'images' | 'validate' | 'generate';
}

/**
 * Applies every policy with mutate rules in order, each to the result of the previous one, then every policy that verifies
 * images, then every policy with validate rules (the Kyverno CLI's order). Generate rules are applied only if `only`
 * says so.
 *
 * @throws TypeError for policies that are not compiled, which would say nothing, and other arguments of the wrong kind
 */
export function applyPolicies(
  policies: readonly Policy[],
  given: JsonObject,
  settingOf: (policy: Policy) => RequestSetting,
  options: ApplyOptions = {},
): readonly PolicyResponse[] {
  requirePolicies(policies);
  requireArgument('applyPolicies', given, { what: 'an object of Kubernetes' });
  if (typeof settingOf !== 'function') {
    const found = describeValue(settingOf);
    throw new TypeError(
      `applyPolicies: expected a function that returns the setting, got ${found}`,
    );
  }
  const only = ['mutate', 'images', 'validate', 'generate'];
  requireOptions('applyPolicies', options, { oldObject: 'object', only });
  return allSteps(applyPoliciesInSteps(policies, given, settingOf, options));
}

function requirePolicies(policies: unknown): void {
  const what = 'a list of results of `compilePolicy`';
  if (!Array.isArray(policies)) {
    throw new TypeError(`applyPolicies: expected ${what}, got ${describeValue(policies)}`);
  }
  const wrong = policies.findIndex((each) => !hasMembers(each) || !('rulesForKind' in each));
  if (wrong < 0) return;
  throw new TypeError(
    `applyPolicies: expected ${what}, and [${wrong}] is ${describeValue(policies[wrong])}`,
  );
}

/** The same as {@link applyPolicies}, as a generator that yields before each rule. */
export function* applyPoliciesInSteps(
  policies: readonly Policy[],
  given: JsonObject,
  settingOf: (policy: Policy) => RequestSetting,
  { oldObject, only }: ApplyOptions = {},
): Steps<readonly PolicyResponse[]> {
  const chain = new PolicyChain(given, oldObject, settingOf);
  if (only === undefined || only === 'mutate') {
    for (const policy of policies) {
      if (!policy.hasMutate) continue;
      chain.take(policy, yield* mutatePolicy(policy, chain.requestFor(policy)));
    }
  }
  if (only === undefined || only === 'images') {
    for (const policy of policies) {
      if (!policy.hasImages) continue;
      const evaluation = yield* verifyPolicyImages(policy, chain.requestFor(policy));
      if (evaluation.results.length > 0) chain.take(policy, evaluation);
    }
  }
  if (only === undefined || only === 'validate') {
    for (const policy of policies) {
      if (!policy.hasValidate && !hasConditionsOfBackground(policy)) continue;
      chain.take(policy, yield* validatePolicy(policy, chain.requestFor(policy)));
    }
  }
  if (only === 'generate') {
    for (const policy of policies) {
      if (!policy.hasGenerate) continue;
      const evaluation = yield* generateByPolicy(policy, chain.requestFor(policy));
      if (evaluation.results.length > 0) chain.take(policy, evaluation);
    }
  }
  return chain.responses;
}

/** Whether the validating webhook hands requests on to the background controller if its match conditions hold. */
function hasConditionsOfBackground({ matchConditions, ...policy }: Policy): boolean {
  return matchConditions !== undefined && (policy.hasGenerate || policy.hasMutate);
}

/** An object on its way through policies. */
class PolicyChain {
  readonly responses: PolicyResponse[] = [];
  readonly #settingOf: (policy: Policy) => RequestSetting;
  readonly #oldForms: ObjectForms | undefined;
  #forms: ObjectForms | undefined;
  #object: JsonObject | undefined;
  #setting: RequestSetting | undefined;

  constructor(
    given: JsonObject,
    oldObject: JsonObject | undefined,
    settingOf: (policy: Policy) => RequestSetting,
  ) {
    this.#settingOf = settingOf;
    this.#oldForms = oldObject === undefined ? undefined : new ObjectForms(oldObject);
    this.#forms = new ObjectForms(given);
    this.#object = given;
  }

  /** Creates the request for the next policy. */
  requestFor(policy: Policy): Request {
    const setting = this.#settingOf(policy);
    requireArgument('applyPolicies', setting, { what: 'settings with `facts`', has: 'facts' });
    this.#setting = setting;
    return makeRequest(setting, this.#forms, this.#oldForms);
  }

  /** Records the results of a policy, and continues with its object. */
  take(policy: Policy, { results, object: after }: Evaluation): void {
    if (this.#setting?.operation !== 'DELETE' && after !== this.#object) {
      this.#object = after;
      const typed = this.#setting?.isCluster ? this.#forms?.ofIntegers : undefined;
      this.#forms = typed?.object === after ? typed : after && new ObjectForms(after);
    }
    this.responses.push({ policy, results, object: this.#object });
  }
}
