import type { JsonObject } from '@kubeadmit/apimachinery';
import type { PolicyMatch, WebhookRule } from '@kubeadmit/chain/scan';
import { deepEqual } from '@kubeadmit/go';
import type { Json } from '@kubeadmit/mutator';
import { type Lifeline, lifelineExpression } from './lifelines.ts';
import { mayReach, mergeRules } from './merge-rules.ts';
import { lifelineCondition } from './registrable-match.ts';

/** The fields of a webhook that decide for which requests kube-apiserver calls it. */
export interface Calls {
  readonly matchPolicy: PolicyMatch['matchPolicy'];
  /** Absent to call it for every namespace. */
  readonly namespaceSelector?: JsonObject | undefined;
  readonly objectSelector: JsonObject;
  readonly matchConditions?: readonly JsonObject[];
  readonly rules: readonly WebhookRule[];
}

/** The least calls that policies need; undefined if they match nothing but lifelines. */
export function callsFor(
  matches: readonly PolicyMatch[],
  exempt: readonly Lifeline[],
): Calls | undefined {
  const rules = mergeRules(
    matches.flatMap((match) => match.rules),
    exempt,
  );
  if (rules.length === 0) return undefined;
  const matchConditions = conditionsOf(matches, rules, exempt);
  return {
    matchPolicy: matches.every(({ matchPolicy }) => matchPolicy === 'Exact')
      ? 'Exact'
      : 'Equivalent',
    namespaceSelector: shared(matches.map((match) => match.namespaceSelector)),
    objectSelector: shared(matches.map((match) => match.objectSelector)) ?? {},
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
    rules,
  };
}

// The value that all policies have in common.
function shared<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  const [first, ...rest] = values;
  const isShared = rest.every((each) =>
    deepEqual(each as unknown as Json, first as unknown as Json),
  );
  return isShared ? first : undefined;
}

// Conditions of webhooks know the request and its objects alone.
const policyVariables = /\b(?:params|namespaceObject|variables)\b/;

function conditionsOf(
  matches: readonly PolicyMatch[],
  rules: readonly WebhookRule[],
  exempt: readonly Lifeline[],
): readonly JsonObject[] {
  const reached = exempt.filter((lifeline) => mayReach(rules, lifeline));
  const conditions = shared(matches.map((match) => match.matchConditions)) ?? [];
  const usable = conditions.every(
    ({ expression }) => !policyVariables.test(String(expression ?? '')),
  );
  return [
    ...(reached.length === 0
      ? []
      : [{ name: lifelineCondition, expression: lifelineExpression(reached) }]),
    ...(usable ? conditions : []),
  ] as readonly JsonObject[];
}
