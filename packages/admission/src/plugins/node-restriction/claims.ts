import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go/internal';
import { withMetadata } from '../../write/metadata.ts';
import { semanticallyEqual } from '../../write/semantic-equality.ts';
import { isFeatureOn } from '../feature-gates.data.ts';
import type { PluginOutcome } from '../plugin.ts';
import { forbid } from '../refusal.ts';
import type { NodeRequest } from './node-request.ts';

/**
 * Lets a kubelet change capacity and conditions in the status of a claim. kube-apiserver ends its refusal with a Go diff,
 * which is left out here.
 */
export function admitClaim({ request, node, cluster }: NodeRequest): PluginOutcome | undefined {
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
