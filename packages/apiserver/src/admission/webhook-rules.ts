import {
  compileLabelSelector,
  type KubernetesObject,
  type LabelSelector,
  labelsOf,
  member,
} from '@kubeadmit/apimachinery';
import type { ResourceRule } from '@kubeadmit/engine';
import type { Exchange } from '../machinery.ts';
import type { AdmissionAttributes } from './attributes.ts';

/** One webhook of a configuration. */
export interface Webhook {
  readonly configuration: string;
  readonly name: string;
  readonly object: KubernetesObject;
}

/** The webhooks of configurations, in their order. */
export function webhooksOf(configurations: readonly KubernetesObject[]): readonly Webhook[] {
  return configurations.flatMap((configuration) => {
    const webhooks = member(configuration, 'webhooks');
    const name = String(member(member(configuration, 'metadata'), 'name') ?? '');
    return (Array.isArray(webhooks) ? (webhooks as KubernetesObject[]) : []).map((object) => ({
      configuration: name,
      name: String(member(object, 'name') ?? ''),
      object,
    }));
  });
}

const exempt: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/** Whether a webhook is called for a request (apiserver webhook/generic `ShouldCallHook`). */
export function concerns(
  { object: webhook }: Webhook,
  exchange: Exchange,
  attributes: AdmissionAttributes,
): boolean {
  const { endpoint } = attributes;
  if (endpoint.name.group === 'admissionregistration.k8s.io' && exempt.has(endpoint.name.name)) {
    return false;
  }
  const rules = member(webhook, 'rules');
  const matched = (Array.isArray(rules) ? (rules as ResourceRule[]) : []).some((rule) =>
    matchesRule(rule, attributes, member(webhook, 'matchPolicy') !== 'Exact'),
  );
  return (
    matched && selectsNamespace(webhook, exchange, attributes) && selectsObject(webhook, attributes)
  );
}

function matchesRule(
  rule: ResourceRule,
  { endpoint, operation }: AdmissionAttributes,
  isEquivalent: boolean,
): boolean {
  const { group, version, resource, namespaced } = endpoint.resource;
  const has = (values: readonly string[] | null | undefined, value: string): boolean =>
    values?.includes('*') === true || values?.includes(value) === true;
  const scope = rule.scope ?? '*';
  const inScope =
    scope === '*' || (scope === 'Namespaced') === (namespaced || resource === 'namespaces');
  return (
    has(rule.operations as readonly string[] | undefined, operation) &&
    has(rule.apiGroups, group) &&
    (isEquivalent || has(rule.apiVersions, version)) &&
    inScope &&
    (rule.resources ?? []).some((named) =>
      matchesResource(named, resource, endpoint.subresource?.name ?? ''),
    )
  );
}

function matchesResource(named: string, resource: string, subresource: string): boolean {
  const [own = '', sub = ''] = named.split('/');
  return (own === '*' || own === resource) && (sub === '*' || sub === subresource);
}

function selectsNamespace(
  webhook: KubernetesObject,
  { machinery }: Exchange,
  { endpoint, namespace, object, oldObject }: AdmissionAttributes,
): boolean {
  const selector = compileLabelSelector(
    (member(webhook, 'namespaceSelector') ?? {}) as LabelSelector,
  );
  const isNamespace = endpoint.name.group === '' && endpoint.name.name === 'namespaces';
  if (isNamespace) return selector.matches(labelsOf(object ?? oldObject));
  if (namespace === '') return true;
  const found = machinery.cluster.namespaces.get(namespace);
  return selector.matches(found === undefined ? {} : labelsOf(found));
}

function selectsObject(
  webhook: KubernetesObject,
  { object, oldObject }: AdmissionAttributes,
): boolean {
  const selector = compileLabelSelector((member(webhook, 'objectSelector') ?? {}) as LabelSelector);
  return [object, oldObject].some((each) => each !== null && selector.matches(labelsOf(each)));
}
