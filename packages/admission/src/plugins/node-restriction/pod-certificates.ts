import {
  type KubernetesObject,
  member,
  memberList,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import type { PluginOutcome } from '../plugin.ts';
import { fail, forbid } from '../refusal.ts';
import { isAuthorized, type NodeRequest } from './authorized.ts';
import { isMirrorPod, nodeNameOf } from './pods.ts';

const kind = 'PodCertificateRequest';

/** Lets a kubelet request certificates for the pods on its node. */
export function admitPodCertificate(asked: NodeRequest): PluginOutcome | undefined {
  const { request, node, cluster } = asked;
  if (!isFeatureOn('PodCertificateRequest', cluster.minor))
    return forbid(request, `${kind} feature gate is disabled`);
  const { operation, subresource, object } = request;
  if (operation !== 'CREATE') return forbid(request, `unexpected operation ${operation}`);
  if (subresource !== '') return forbid(request, `unexpected subresource ${subresource}`);
  const spec = member(object, 'spec');
  const named = quote(memberText(spec, 'nodeName'));
  if (named !== quote(node)) {
    return forbid(
      request,
      `${kind}.Spec.NodeName=${named}, which is not the requesting node ${quote(node)}`,
    );
  }
  return nodeProblem(asked, spec) ?? podProblem(asked, spec);
}

function nodeProblem(
  { request, node, cluster }: NodeRequest,
  spec: unknown,
): PluginOutcome | undefined {
  const found = cluster.get('nodes', '', node);
  if (found === undefined)
    return fail(
      `while retrieving node ${quote(node)} named in the ${kind}: node ${quote(node)} not found`,
    );
  const [given, uid] = [memberText(spec, 'nodeUID'), metadataString(found, 'uid')];
  if (given === uid) return undefined;
  const pod = quote(`${request.namespace}/${memberText(spec, 'podName')}`);
  return fail(
    `${kind} for pod ${pod} names node UID ${quote(given)}, inconsistent with the running node (${quote(uid)})`,
  );
}

function podProblem(asked: NodeRequest, spec: unknown): PluginOutcome | undefined {
  const { request, node, cluster } = asked;
  const { namespace } = request;
  const name = memberText(spec, 'podName');
  const title = quote(`${namespace}/${name}`);
  const pod = cluster.get('pods', namespace, name);
  if (pod === undefined)
    return fail(`while retrieving pod ${title} named in the ${kind}: pod ${quote(name)} not found`);
  const [given, uid] = [memberText(spec, 'podUID'), metadataString(pod, 'uid')];
  if (given !== uid) {
    return fail(
      `${kind} for pod ${title} contains pod UID (${quote(given)}) which differs from running pod ${quote(uid)}`,
    );
  }
  if (nodeNameOf(pod) !== node)
    return forbid(
      request,
      `pod ${title} is not running on node ${quote(node)} named in the ${kind}`,
    );
  if (isMirrorPod(pod)) return forbid(request, `pod ${title} is a mirror pod`);
  return accountProblem(asked, spec, pod) ?? signerProblem(asked, spec, pod);
}

function accountProblem(
  { request, cluster }: NodeRequest,
  spec: unknown,
  pod: KubernetesObject,
): PluginOutcome | undefined {
  const { namespace } = request;
  const title = quote(`${namespace}/${memberText(spec, 'podName')}`);
  const name = memberText(spec, 'serviceAccountName');
  const own = memberText(member(pod, 'spec'), 'serviceAccountName');
  if (name !== own) {
    return forbid(
      request,
      `${kind} for pod ${title} contains serviceAccountName (${quote(name)}) that differs from running pod (${quote(own)})`,
    );
  }
  const account = cluster.get('serviceaccounts', namespace, name);
  if (account === undefined) {
    return fail(
      `while retrieving service account ${quote(`${namespace}/${name}`)} named in the ${kind}: serviceaccount ${quote(name)} not found`,
    );
  }
  const [given, uid] = [memberText(spec, 'serviceAccountUID'), metadataString(account, 'uid')];
  if (given === uid) return undefined;
  return fail(
    `${kind} for pod ${title} names service account UID ${quote(given)}, which differs from the running service account (${quote(uid)})`,
  );
}

function signerProblem(
  asked: NodeRequest,
  spec: unknown,
  pod: KubernetesObject,
): PluginOutcome | undefined {
  const { request } = asked;
  const signer = memberText(spec, 'signerName');
  const uses = memberList(member(pod, 'spec'), 'volumes').some((volume) =>
    memberList(member(volume, 'projected'), 'sources').some(
      (source) => memberText(member(source, 'podCertificate'), 'signerName') === signer,
    ),
  );
  if (uses) return undefined;
  const verb = 'request-serviceaccounts-podcertificate-signer';
  const resource = signer.replaceAll('/', ':');
  const name = memberText(spec, 'serviceAccountName');
  if (isAuthorized(asked, { verb, resource, name })) return undefined;
  const title = quote(`${request.namespace}/${memberText(spec, 'podName')}`);
  return forbid(
    request,
    `pod ${title} does not mount a podCertificate projected volume for signer ${quote(signer)}`,
  );
}
