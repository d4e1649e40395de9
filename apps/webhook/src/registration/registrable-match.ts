import type { JsonObject } from '@kubeadmit/apimachinery';
import { validateLabelSelector } from '@kubeadmit/apimachinery/field-errors';
import type { PolicyMatch, WebhookRule } from '@kubeadmit/chain/scan';

const operations = new Set(['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT']);
const scopes = new Set(['*', 'Cluster', 'Namespaced']);

/** The most combinations of a rule, which are computed one by one. */
const mostTargets = 1000;

/** The most match conditions of a webhook, of which one exempts lifelines. */
const mostConditions = 63;

/**
 * Returns the match criteria of a policy in a form that kube-apiserver accepts in a webhook configuration.
 *
 * Kyverno's policies are stored with values that kube-apiserver refuses there, and one refused value would keep the
 * webhooks of all policies as they are. Values that match nothing are left out; an invalid restriction is dropped, so
 * that the webhook is called for more requests.
 */
export function registrableMatch(match: PolicyMatch): PolicyMatch {
  const { rules, namespaceSelector, objectSelector } = match;
  return {
    ...match,
    rules: rules.flatMap((rule) => registrableRule(rule, match.namespace !== undefined)),
    namespaceSelector: validSelector(namespaceSelector),
    objectSelector: validSelector(objectSelector),
    matchConditions: usableConditions(match),
  };
}

function registrableRule(rule: WebhookRule, isNamespaced: boolean): readonly WebhookRule[] {
  const scope = scopes.has(rule.scope) ? rule.scope : '*';
  // The objects of a namespaced policy are those of its namespace.
  if (isNamespaced && scope === 'Cluster') return [];
  const registrable = {
    apiGroups: rule.apiGroups,
    apiVersions: rule.apiVersions.filter((version) => version !== ''),
    operations: rule.operations.filter((operation) => operations.has(operation)),
    resources: rule.resources.filter((resource) => resource !== ''),
    scope: isNamespaced ? 'Namespaced' : scope,
  };
  const { apiGroups, apiVersions, resources } = registrable;
  const lists = [apiGroups, apiVersions, registrable.operations, resources];
  return lists.some((list) => list.length === 0) ? [] : [widened(registrable)];
}

/** A rule for more requests in place of one with too many combinations of groups, versions and resources. */
function widened(rule: WebhookRule): WebhookRule {
  const { apiGroups, apiVersions, resources } = rule;
  if (apiGroups.length * apiVersions.length * resources.length <= mostTargets) return rule;
  const isShort = resources.length <= mostTargets;
  return {
    ...rule,
    apiGroups: ['*'],
    apiVersions: ['*'],
    resources: isShort ? resources : ['*/*'],
  };
}

function validSelector(selector: JsonObject | undefined): JsonObject | undefined {
  if (selector === undefined) return undefined;
  try {
    return validateLabelSelector(selector, '').length === 0 ? selector : undefined;
  } catch {
    // Its members have other types than a selector's.
    return undefined;
  }
}

// Those of Kyverno's policies know functions that webhooks do not, and are not validated.
function usableConditions({ name, matchConditions }: PolicyMatch): readonly JsonObject[] {
  const isNative = /^(?:Validating|Mutating)AdmissionPolicy\//.test(name);
  const isUsable =
    matchConditions.length <= mostConditions &&
    matchConditions.every((condition) => condition['name'] !== lifelineCondition);
  return isNative && isUsable ? matchConditions : [];
}

/** The name of the condition that exempts lifelines. */
export const lifelineCondition = 'not-a-lifeline';
