import { type KubernetesObject, member, memberText, metadataString } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import { withMetadata } from '../../write/metadata.ts';
import { semanticallyEqual } from '../../write/semantic-equality.ts';
import { commonNames } from '../certificates/certificate-subject.ts';
import type { AdmissionPlugin, PluginOutcome, PluginRequest } from '../plugin.ts';
import { forbid } from '../refusal.ts';
import type { NodeRequest } from './authorized.ts';
import { admitNode } from './nodes.ts';
import { admitPodCertificate } from './pod-certificates.ts';
import { admitPod } from './pods.ts';
import { admitToken } from './tokens.ts';

/** Restricts kubelets to their own Node and to the objects of the pods on it (plugin/pkg/admission/noderestriction). */
export const nodeRestriction: AdmissionPlugin = {
  name: 'NodeRestriction',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  reads: [
    ...['pods', 'nodes', 'serviceaccounts', 'persistentvolumeclaims', 'persistentvolumes'],
    'csidrivers.storage.k8s.io',
  ],
  mutate: (request, cluster) => {
    const node = nodeOf(request.user);
    if (node === undefined) return undefined;
    if (node === '') {
      const user = quote(request.user.username ?? '');
      return forbid(request, `could not determine node from user ${user}`);
    }
    const { group, resource } = request.resource;
    const key = `${resource}.${group}`;
    const admit = Object.hasOwn(restrictions, key) ? restrictions[key] : undefined;
    return admit?.({ request, node, cluster });
  },
};

const prefix = 'system:node:';

/** Returns the name of the node that a user is the kubelet of; undefined for other users. */
function nodeOf({ username = '', groups }: UserInfo): string | undefined {
  const isNode = username.startsWith(prefix) && (groups ?? []).includes('system:nodes');
  return isNode ? username.slice(prefix.length) : undefined;
}

const restrictions: Readonly<Record<string, (asked: NodeRequest) => PluginOutcome | undefined>> = {
  'pods.': admitPod,
  'nodes.': admitNode,
  'persistentvolumeclaims.': admitClaim,
  'serviceaccounts.': admitToken,
  'podcertificaterequests.certificates.k8s.io': admitPodCertificate,
  'leases.coordination.k8s.io': admitLease,
  'csinodes.storage.k8s.io': admitCsiNode,
  'resourceslices.resource.k8s.io': admitResourceSlice,
  'certificatesigningrequests.certificates.k8s.io': admitSigningRequest,
};

function admitLease({ request, node }: NodeRequest): PluginOutcome | undefined {
  if (request.namespace !== 'kube-node-lease')
    return forbid(request, 'can only access leases in the "kube-node-lease" system namespace');
  if (ownName(request) === node) return undefined;
  return forbid(request, 'can only access node lease with the same name as the requesting node');
}

function admitCsiNode({ request, node }: NodeRequest): PluginOutcome | undefined {
  if (ownName(request) !== node)
    return forbid(request, 'can only access CSINode with the same name as the requesting node');
  if (request.subresource !== 'status') return undefined;
  return forbid(request, 'CSIVolumeHealth feature gate is disabled');
}

/** The name of the new object, or of the URL. */
function ownName({ operation, object, name }: PluginRequest): string {
  return operation === 'CREATE' && object !== null ? metadataString(object, 'name') : name;
}

function admitResourceSlice({ request, node }: NodeRequest): PluginOutcome | undefined {
  const { operation, object, oldObject } = request;
  if (operation === 'UPDATE') return undefined;
  const [verb, slice] = operation === 'CREATE' ? ['create', object] : ['delete', oldObject];
  if (memberText(member(slice, 'spec'), 'nodeName') === node) return undefined;
  return forbid(
    request,
    `can only ${verb} ResourceSlice with the same NodeName as the requesting node`,
  );
}

const kubeletSigners = [
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
];

function admitSigningRequest({ request, node, cluster }: NodeRequest): PluginOutcome | undefined {
  // AllowInsecureKubeletCertificateSigningRequests is on before 1.31.
  if (request.operation !== 'CREATE' || cluster.minor < 31) return undefined;
  const spec = member(request.object, 'spec');
  if (!kubeletSigners.includes(memberText(spec, 'signerName'))) return undefined;
  const name = `${prefix}${node}`;
  if (commonNames(memberText(spec, 'request')).at(-1) === name) return undefined;
  return forbid(request, `can only create a node CSR with CN=${name}`);
}

/**
 * Lets a kubelet change capacity and conditions in the status of a claim. kube-apiserver ends its refusal with a Go diff,
 * which is left out here.
 */
function admitClaim({ request, node, cluster }: NodeRequest): PluginOutcome | undefined {
  const { operation, object, oldObject, subresource } = request;
  if (subresource !== 'status') return forbid(request, 'may only update PVC status');
  if (operation !== 'UPDATE') return forbid(request, `unexpected operation ${quote(operation)}`);
  const recovers = isFeatureOn('RecoverVolumeExpansionFailure', cluster.minor);
  if (semanticallyEqual(comparable(object, recovers), comparable(oldObject, recovers)))
    return undefined;
  return forbid(
    request,
    `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions: `,
  );
}

function comparable(claim: KubernetesObject | null, recovers: boolean): unknown {
  if (claim === null) return null;
  const {
    capacity: _,
    conditions: __,
    ...status
  } = (member(claim, 'status') ?? {}) as KubernetesObject;
  const { allocatedResourceStatuses: ___, allocatedResources: ____, ...rest } = status;
  const own = withMetadata(claim, {
    resourceVersion: undefined,
    managedFields: undefined,
  } as never);
  return { ...own, status: recovers ? rest : status };
}
