import type { Cluster } from '@kubeadmit/admission';
import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { formatGroupVersion, type KubernetesObject, labelsOf } from '@kubeadmit/apimachinery';
import type { AdmissionRequest, MatchResources, ResourceRule } from '@kubeadmit/engine';
import { labelsText, selectorText } from './label-texts.ts';

type Reason = PolicyTrace['reason'];

/** The facts about a request that matching depends on. */
export interface AskedFacts {
  readonly namespace: KubernetesObject | undefined;
  readonly namespaceName: string;
  readonly object: unknown;
  /** The request in words that rules know: operation, group, version and resource. */
  readonly asked: Readonly<Record<'operation' | 'group' | 'version' | 'resource' | 'name', string>>;
}

/** The reason why rules and selectors match a request or do not, with expected and actual values. */
export function exactReason(
  reason: Reason,
  match: MatchResources,
  list: string,
  facts: AskedFacts,
): string {
  if (reason === undefined) return 'no match criteria, so every request matches';
  switch (reason.type) {
    case 'noRules':
      return 'no rules, so every request matches';
    case 'rule':
      return `${list}.resourceRules[${reason.rule}] matches`;
    case 'equivalentRule': {
      const { resource, rule } = reason;
      const name = `${formatGroupVersion(resource)} ${resource.resource}`;
      return `${list}.resourceRules[${rule}] matches the object as ${name}`;
    }
    case 'excluded':
      return `${list}.excludeResourceRules[${reason.rule}] matches`;
    case 'namespaceSelector': {
      const { namespace, namespaceName } = facts;
      const wanted = `${list}.namespaceSelector requires ${selectorText(match.namespaceSelector)}`;
      return namespace === undefined
        ? `${wanted}; the Namespace ${namespaceName} is not among the inputs, so its labels are unknown`
        : `${wanted}, but namespace ${namespaceName} has ${labelsText(labelsOf(namespace))}`;
    }
    case 'objectSelector': {
      const labels = labelsText(labelsOf(facts.object));
      return `${list}.objectSelector requires ${selectorText(match.objectSelector)}, but the object has ${labels}`;
    }
    case 'noRuleFits': {
      const texts = reason.parts.map((part, i) => {
        const rule = match.resourceRules?.[i];
        const wanted = rule === undefined ? '' : partText(rule, part);
        const given = part === 'scope' ? '' : `, not ${facts.asked[part]}`;
        return `resourceRules[${i}] ${wanted}${given}`;
      });
      return `no rule matches: ${texts.join('; ')}`;
    }
    case 'error':
      return 'it cannot be determined';
    default:
      return reason satisfies never;
  }
}

/** Returns the facts about a request to a cluster that matching depends on. */
export function askedFacts(
  { namespaces }: Cluster,
  { namespace, operation, resource, subResource, name, object, oldObject }: AdmissionRequest,
): AskedFacts {
  const namespaceName = String(namespace ?? '');
  const { group = '', version = '', resource: plural = '' } = resource ?? {};
  const hasSubresource = subResource !== undefined && subResource !== '';
  return {
    namespace: namespaces.get(namespaceName),
    namespaceName,
    // For a deletion, the old object is matched.
    object: object ?? oldObject,
    asked: {
      operation: String(operation ?? ''),
      group: group === '' ? 'the core group' : group,
      version,
      resource: hasSubresource ? `${plural}/${subResource}` : plural,
      name: String(name ?? ''),
    },
  };
}

function partText(
  rule: ResourceRule,
  part: 'scope' | 'operation' | 'group' | 'version' | 'resource' | 'name',
): string {
  switch (part) {
    case 'scope':
      return `requires scope ${rule.scope ?? '*'}`;
    case 'operation':
      return `lists operations ${(rule.operations ?? []).join(', ')}`;
    case 'group':
      return `lists API groups ${(rule.apiGroups ?? []).map((each) => each || '""').join(', ')}`;
    case 'version':
      return `lists versions ${(rule.apiVersions ?? []).join(', ')}`;
    case 'resource':
      return `lists resources ${(rule.resources ?? []).join(', ')}`;
    case 'name':
      return `lists names ${(rule.resourceNames ?? []).join(', ')}`;
    default:
      return part satisfies never;
  }
}
