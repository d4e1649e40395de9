import type { JsonObject } from '@kubeadmit/apimachinery';
import type { PolicyMatch, WebhookRule } from '@kubeadmit/chain/scan';
import { type Calls, callsFor } from './calls.ts';
import type { Lifeline } from './lifelines.ts';

/** The label of every namespace with its name. */
export const namespaceLabel = 'kubernetes.io/metadata.name';

/** The most webhooks of one kind for namespaced policies, and the most UTF-16 units of their rules as JSON. */
const limits = { webhooks: 20, rules: 8000 };

/**
 * Divides policies of one step and failure policy into webhooks, of which kube-apiserver calls one for a request.
 *
 * A tenant who writes policies in a namespace must not decide which requests of other namespaces are sent. So the first
 * webhook is that of the cluster's policies. It excludes the namespaces with policies, which have webhooks for the
 * cluster's policies and their own; equal ones are merged. Each has limited rules, since kube-apiserver refuses a
 * configuration that is too large.
 */
export function divideByNamespace(
  matches: readonly PolicyMatch[],
  exempt: readonly Lifeline[],
): readonly Calls[] {
  const ofCluster = matches.filter(({ namespace }) => namespace === undefined);
  const inherited = ofCluster.map(inNamespaces);
  const byNamespace = new Map<string, PolicyMatch[]>();
  for (const match of matches) {
    if (match.namespace === undefined || callsFor([match], exempt) === undefined) continue;
    const own = byNamespace.get(match.namespace) ?? [...inherited];
    own.push(match);
    byNamespace.set(match.namespace, own);
  }
  const broad = callsFor([broadMatch(inherited)], exempt) as Calls;
  const namespaces = [...byNamespace.keys()].sort();
  const merged = new Map<string, { readonly calls: Calls; readonly namespaces: string[] }>();
  for (const namespace of namespaces) {
    const least = callsFor(byNamespace.get(namespace) ?? [], exempt) as Calls;
    const isTaken = merged.has(keyOf(least)) || merged.size < limits.webhooks - 1;
    const calls = isTaken && sizeOf(least) <= limits.rules ? least : broad;
    const known = merged.get(keyOf(calls)) ?? { calls, namespaces: [] };
    known.namespaces.push(namespace);
    merged.set(keyOf(calls), known);
  }
  const others = callsFor(ofCluster, exempt);
  return [
    ...(others === undefined ? [] : [select(others, 'NotIn', namespaces)]),
    ...Array.from(merged.values(), (each) => select(each.calls, 'In', each.namespaces)),
  ];
}

function keyOf({ namespaceSelector: _, ...calls }: Calls): string {
  return JSON.stringify(calls);
}

function select(calls: Calls, operator: 'In' | 'NotIn', values: readonly string[]): Calls {
  if (values.length === 0) return calls;
  // The policies of the cluster match some namespaces by their labels. A namespace that is named needs no other.
  const namespaceSelector = (operator === 'NotIn' ? calls.namespaceSelector : undefined) ?? {};
  const expressions = (namespaceSelector['matchExpressions'] ?? []) as readonly JsonObject[];
  const own = { key: namespaceLabel, operator, values };
  return {
    ...calls,
    namespaceSelector: {
      ...namespaceSelector,
      matchExpressions: [...expressions, own],
    } as unknown as JsonObject,
  };
}

function sizeOf({ rules, objectSelector }: Calls): number {
  return JSON.stringify([rules, objectSelector]).length;
}

const everything: WebhookRule = {
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['*'],
  resources: ['*/*'],
  scope: 'Namespaced',
};

/** Matches everything in a namespace, and the Namespace itself if policies of the cluster may match it. */
function broadMatch(inherited: readonly PolicyMatch[]): PolicyMatch {
  const isAboutNamespaces = inherited.some(({ rules }) =>
    rules.some(({ scope }) => scope === 'Cluster'),
  );
  return {
    name: '',
    step: 'validate',
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    rules: [everything, ...(isAboutNamespaces ? about({ ...everything, scope: '*' }) : [])],
    namespaceSelector: undefined,
    objectSelector: undefined,
    matchConditions: [],
  };
}

/** The part of a policy of the cluster that matches objects in namespaces, and Namespaces themselves. */
function inNamespaces(match: PolicyMatch): PolicyMatch {
  return { ...match, rules: match.rules.flatMap((rule) => [...namespaced(rule), ...about(rule)]) };
}

function namespaced(rule: WebhookRule): readonly WebhookRule[] {
  return rule.scope === 'Cluster' ? [] : [{ ...rule, scope: 'Namespaced' }];
}

/** The part of a rule about Namespaces: selectors of namespaces apply to these objects of the cluster, too. */
function about(rule: WebhookRule): readonly WebhookRule[] {
  const isInGroup = rule.apiGroups.some((group) => group === '' || group === '*');
  const resources = [...new Set(rule.resources.flatMap(ofNamespaces))];
  if (rule.scope === 'Namespaced' || !isInGroup || resources.length === 0) return [];
  return [{ ...rule, apiGroups: [''], resources, scope: 'Cluster' }];
}

function ofNamespaces(resource: string): readonly string[] {
  if (resource === '*/*') return ['namespaces', 'namespaces/*'];
  const [name, ...subresource] = resource.split('/');
  return name === '*' || name === 'namespaces' ? [['namespaces', ...subresource].join('/')] : [];
}
