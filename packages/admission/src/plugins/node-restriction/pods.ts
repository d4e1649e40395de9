import {
  annotationsOf,
  type KubernetesObject,
  labelsOf,
  member,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { notFoundStatus } from '@kubeadmit/apimachinery/status';
import { quote } from '@kubeadmit/go';
import { metadataOf } from '../../write/metadata.ts';
import { semanticallyEqual } from '../../write/semantic-equality.ts';
import type { PluginOutcome } from '../plugin.ts';
import { forbid, refuse } from '../refusal.ts';
import { apiReference } from './api-reference.ts';
import type { NodeRequest } from './authorized.ts';

const mirrorKey = 'kubernetes.io/config.mirror';

/** Whether a pod mirrors a static pod of its node. */
export function isMirrorPod(pod: KubernetesObject): boolean {
  return Object.hasOwn(annotationsOf(pod), mirrorKey);
}

/** Returns the node that a pod is assigned to; empty if there is none. */
export function nodeNameOf(pod: KubernetesObject | null): string {
  return memberText(member(pod, 'spec'), 'nodeName');
}

/** Returns the refusal of a name that does not exist; listers name resources in the singular. */
export function notFound(resource: string, name: string): PluginOutcome {
  return refuse(notFoundStatus({ group: '', name: resource }, name));
}

/** Lets a kubelet create mirror pods, and delete, evict and update the status of pods on its node. */
export function admitPod(asked: NodeRequest): PluginOutcome | undefined {
  const { request } = asked;
  const { subresource } = request;
  if (subresource === '') return admitPodItself(asked);
  if (subresource === 'status') return admitStatus(asked);
  if (subresource === 'eviction') return admitEviction(asked);
  return forbid(
    request,
    `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`,
  );
}

function admitPodItself(asked: NodeRequest): PluginOutcome | undefined {
  const { request, node, cluster } = asked;
  const { operation, namespace, name } = request;
  if (operation === 'CREATE') return admitCreation(asked);
  if (operation !== 'DELETE') {
    return forbid(
      request,
      `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`,
    );
  }
  const pod = cluster.get('pods', namespace, name);
  if (pod === undefined) return notFound('pod', name);
  if (nodeNameOf(pod) === node) return undefined;
  return forbid(
    request,
    `node ${quote(node)} can only delete pods with spec.nodeName set to itself`,
  );
}

function admitCreation(asked: NodeRequest): PluginOutcome | undefined {
  const { request, node } = asked;
  const pod = request.object;
  if (pod === null) return undefined;
  if (!isMirrorPod(pod)) {
    return forbid(
      request,
      `pod does not have "${mirrorKey}" annotation, node ${quote(node)} can only create mirror pods`,
    );
  }
  const only = `node ${quote(node)} can only create pods with`;
  if (nodeNameOf(pod) !== node) return forbid(request, `${only} spec.nodeName set to itself`);
  const refusal = ownerRefusal(asked, pod);
  if (refusal !== undefined) return refusal;
  const { resource, error } = apiReference(pod);
  if (error !== undefined)
    return forbid(request, `error checking mirror pod for API references: ${error}`);
  if (resource === undefined) return undefined;
  return forbid(request, `node ${quote(node)} can not create pods that reference ${resource}`);
}

/** Requires the Node as the only owner of a mirror pod. */
function ownerRefusal(
  { request, node, cluster }: NodeRequest,
  pod: KubernetesObject,
): PluginOutcome | undefined {
  const [owner, second] = metadataOf(pod).ownerReferences ?? [];
  const only = `node ${quote(node)} can only create pods with`;
  if (second !== undefined)
    return forbid(request, `${only} a single owner reference set to itself`);
  const isNode = owner?.apiVersion === 'v1' && owner.kind === 'Node' && owner.name === node;
  if (!isNode) return forbid(request, `${only} an owner reference set to itself`);
  if (owner.controller !== true)
    return forbid(request, `${only} a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true) {
    return forbid(
      request,
      `node ${quote(node)} must not set blockOwnerDeletion on an owner reference`,
    );
  }
  const found = cluster.get('nodes', '', node);
  if (found === undefined) return notFound('node', node);
  const [expected, uid] = [owner.uid ?? '', metadataString(found, 'uid')];
  if (expected === uid) return undefined;
  return forbid(request, `node ${node} UID mismatch: expected ${expected} got ${uid}`);
}

function admitStatus({ request, node }: NodeRequest): PluginOutcome | undefined {
  const { operation, object, oldObject } = request;
  if (operation !== 'UPDATE') return forbid(request, `unexpected operation ${quote(operation)}`);
  if (nodeNameOf(oldObject) !== node) {
    return forbid(
      request,
      `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`,
    );
  }
  if (!semanticallyEqual(labelsOf(object), labelsOf(oldObject)))
    return forbid(request, `node ${quote(node)} cannot update labels through pod status`);
  const [status, before] = [member(object, 'status'), member(oldObject, 'status')];
  const changed = Object.entries(statusFields).find(
    ([field]) => !semanticallyEqual(member(status, field), member(before, field)),
  );
  if (changed === undefined) return undefined;
  return forbid(request, `node ${quote(node)} cannot update ${changed[1]}`);
}

/** The parts of the status that only the scheduler and controllers set, in words of kube-apiserver. */
const statusFields: Readonly<Record<string, string>> = {
  resourceClaimStatuses: 'resource claim statues',
  extendedResourceClaimStatus: 'extended resource claim status',
  nodeAllocatableResourceClaimStatuses: 'node allocatable resource claim statuses',
};

function admitEviction({ request, node, cluster }: NodeRequest): PluginOutcome | undefined {
  const { operation, namespace, object } = request;
  if (operation !== 'CREATE') return forbid(request, `unexpected operation ${operation}`);
  const name = request.name || (object === null ? '' : metadataString(object, 'name'));
  if (name === '') return forbid(request, 'could not determine pod from request data');
  const pod = cluster.get('pods', namespace, name);
  if (pod === undefined) return notFound('pod', name);
  if (nodeNameOf(pod) === node) return undefined;
  return forbid(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
