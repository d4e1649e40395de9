import {
  type KubernetesObject,
  member,
  memberList,
  memberText,
  memberTexts,
  metadataString,
} from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { quote } from '@kubeadmit/go';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import type { PluginOutcome } from '../plugin.ts';
import { forbid } from '../refusal.ts';
import { isAuthorized, type NodeRequest } from './authorized.ts';
import { type CsiDriver, driverOf } from './csi-driver.ts';
import { nodeNameOf, notFound } from './pods.ts';

/** Lets a kubelet request tokens for the pods on its node, for audiences that the pods use. */
export function admitToken(asked: NodeRequest): PluginOutcome | undefined {
  const { request, node, cluster } = asked;
  const { operation, subresource, namespace, object } = request;
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const reference = member(member(object, 'spec'), 'boundObjectRef');
  const [apiVersion, kind, name, uid] = ['apiVersion', 'kind', 'name', 'uid'].map((field) =>
    memberText(reference, field),
  ) as [string, string, string, string];
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '')
    return forbid(request, 'node requested token not bound to a pod');
  if (uid === '') return forbid(request, 'node requested token with a pod binding without a uid');
  const pod = cluster.get('pods', namespace, name);
  if (pod === undefined) return notFound('pod', name);
  if (uid !== metadataString(pod, 'uid')) {
    return forbid(
      request,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (nodeNameOf(pod) !== node)
    return forbid(request, 'node requested token bound to a pod scheduled on a different node');
  if (!isFeatureOn('ServiceAccountNodeAudienceRestriction', cluster.minor)) return undefined;
  const problem = audienceProblem(asked, pod);
  return problem === undefined ? undefined : forbid(request, problem);
}

function audienceProblem(asked: NodeRequest, pod: KubernetesObject): string | undefined {
  const { request } = asked;
  const audiences = memberTexts(member(request.object, 'spec'), 'audiences');
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const [audience = ''] = audiences;
  const { isUsed, errors } = usesAudience(asked, pod, audience);
  if (isUsed) return undefined;
  if (errors.length > 0)
    return `error validating audience ${quote(audience)}: ${formatAggregate(errors)}`;
  const verb = 'request-serviceaccounts-token-audience';
  if (isAuthorized(asked, { verb, resource: audience, name: request.name })) return undefined;
  const user = request.user.username ?? '';
  return `${user} is not authorized to request tokens for audience ${quote(audience)}`;
}

interface AudienceUse {
  readonly isUsed: boolean;
  readonly errors: readonly string[];
}

/** Whether a volume of a pod uses tokens for an audience, itself or through its CSI driver. */
function usesAudience(
  { cluster }: NodeRequest,
  pod: KubernetesObject,
  audience: string,
): AudienceUse {
  const errors: string[] = [];
  for (const volume of memberList(member(pod, 'spec'), 'volumes')) {
    const sources = memberList(member(volume, 'projected'), 'sources');
    const isToken = (source: unknown): boolean => {
      const token = member(source, 'serviceAccountToken');
      return Boolean(token) && memberText(token, 'audience') === audience;
    };
    if (sources.some(isToken)) return { isUsed: true, errors: [] };
    const driver: CsiDriver = driverOf(volume, pod, cluster);
    if (driver.error !== undefined) errors.push(driver.error);
    const requests = memberList(member(driver.object, 'spec'), 'tokenRequests');
    if (requests.some((each) => memberText(each, 'audience') === audience))
      return { isUsed: true, errors: [] };
  }
  return { isUsed: false, errors };
}
