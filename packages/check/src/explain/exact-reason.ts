import { type Cluster, prepareRequest } from '@kubeadmit/admission';
import type { PolicyTrace } from '@kubeadmit/admission/internal';
import { type KubernetesObject, labelsOf } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { MatchResources, PolicySpec, ResourceRule } from '@kubeadmit/engine/internal';
import { compileMatch, matchRequest } from '@kubeadmit/matcher';
import { labelsText, selectorText } from './label-texts.ts';
import { reasonText } from './match-reason.ts';

type Reason = PolicyTrace['reason'];

/** What matching asks about. */
export interface AskedFacts {
  readonly namespace: KubernetesObject | undefined;
  readonly namespaceName: string;
  readonly object: unknown;
  /** The request in words that rules know: operation, group, version and resource. */
  readonly asked: Readonly<Record<'operation' | 'group' | 'version' | 'resource' | 'name', string>>;
}

/** Why rules and selectors fit a request, or why not, with what they ask for and what is there. */
export function exactReason(
  reason: Reason,
  match: MatchResources,
  list: string,
  facts: AskedFacts,
): string {
  if (reason?.type === 'namespaceSelector') {
    const { namespace, namespaceName } = facts;
    const labels = labelsOf(namespace);
    const who = `the namespace ${namespaceName}`;
    const there =
      namespace === undefined
        ? `${who} is not among the inputs`
        : `${who} has ${labelsText(labels)}`;
    return `${list}.namespaceSelector asks for ${selectorText(match.namespaceSelector)}, and ${there}`;
  }
  if (reason?.type === 'objectSelector') {
    const labels = labelsOf(facts.object);
    return `${list}.objectSelector asks for ${selectorText(match.objectSelector)}, and the object has ${labelsText(labels)}`;
  }
  if (reason?.type === 'noRuleFits') {
    const rules = match.resourceRules ?? [];
    const texts = reason.parts.map((part, i) => {
      const rule = rules[i];
      const wanted = rule === undefined ? '' : partText(rule, part);
      const given = part === 'scope' ? '' : ` and not ${facts.asked[part]}`;
      return `of resourceRules[${i}], it is for ${wanted}${given}`;
    });
    return `no rule fits: ${texts.join('; ')}`;
  }
  return reasonText(reason, list);
}

/** What matching asks about, of a request to a cluster. */
export function askedFacts(
  { namespaces }: Cluster,
  { namespace, operation, resource, name, object, oldObject }: AdmissionRequest,
): AskedFacts {
  const namespaceName = String(namespace ?? '');
  const { group = '', version = '', resource: plural = '' } = resource ?? {};
  return {
    namespace: namespaces.get(namespaceName),
    namespaceName,
    // What is deleted is the old object.
    object: object ?? oldObject,
    asked: {
      operation: String(operation ?? ''),
      group: group === '' ? 'the core group' : group,
      version,
      resource: plural,
      name: String(name ?? ''),
    },
  };
}

/** Why a policy with a binding that was not asked is not about a request. */
export function missingReason(
  spec: PolicySpec,
  cluster: Cluster,
  request: AdmissionRequest,
  facts: AskedFacts,
): string {
  const matchConstraints = spec.matchConstraints ?? {};
  const prepared = prepareRequest(cluster, request);
  const reason =
    prepared.failure === undefined
      ? matchRequest(
          compileMatch(matchConstraints),
          prepared.attributes,
          prepared.environment.match,
        ).reason
      : undefined;
  return exactReason(reason, matchConstraints, 'spec.matchConstraints', facts);
}

function partText(
  rule: ResourceRule,
  part: 'scope' | 'operation' | 'group' | 'version' | 'resource' | 'name',
): string {
  switch (part) {
    case 'scope':
      return `the scope ${rule.scope ?? '*'}`;
    case 'operation':
      return (rule.operations ?? []).join(', ');
    case 'group':
      return `the API groups ${(rule.apiGroups ?? []).map((each) => each || '""').join(', ')}`;
    case 'version':
      return `the versions ${(rule.apiVersions ?? []).join(', ')}`;
    case 'resource':
      return (rule.resources ?? []).join(', ');
    case 'name':
      return `the names ${(rule.resourceNames ?? []).join(', ')}`;
    default:
      return part satisfies never;
  }
}
