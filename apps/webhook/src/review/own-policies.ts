import type { Cluster } from '@kubeadmit/admission';
import { parameterPermissionError, policyRefusal } from '@kubeadmit/admission/unstable-internal';
import {
  type KubernetesObject,
  member,
  metadataString,
  type Status,
} from '@kubeadmit/apimachinery';
import { invalidStatus } from '@kubeadmit/apimachinery/status';
import type { AdmissionRequest, Authorizer } from '@kubeadmit/engine';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import { asNative, ownGroup } from '../policies/policy-groups.ts';
import { untilTime } from './deadline.ts';

const changing: readonly string[] = ['CREATE', 'UPDATE'];

/** The source of an author's permissions and the deadline for its answers. */
export interface AuthorPermissions {
  /** Asks the cluster; absent where no cluster is followed, whose policies then do not act either. */
  readonly authorizer: RemoteAuthorizer | undefined;
  /** A time of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Returns why a policy or binding of our own group is refused when it is created or updated: the answer of kube-apiserver
 * about the native one, under our group. `undefined` for an object that it would accept, and for all other objects.
 */
export async function ownPolicyRefusal(
  cluster: Cluster,
  request: AdmissionRequest,
  { authorizer, deadline }: AuthorPermissions,
): Promise<Status | undefined> {
  const { resource, subResource, operation = '', object, oldObject } = request;
  if (resource?.group !== ownGroup || (subResource ?? '') !== '' || object == null)
    return undefined;
  if (!changing.includes(operation)) return undefined;
  const native = asNative(object as KubernetesObject);
  const old = oldObject == null ? undefined : asNative(oldObject as KubernetesObject);
  const refusal = policyRefusal(cluster, native, { group: ownGroup, old });
  if (refusal !== undefined || authorizer === undefined) return refusal;
  const asking = authorizer.forRequest();
  const check = (): Status | undefined => permissionRefusal(cluster, request, asking);
  let missing = check();
  while (asking.hasOpenQuestions && performance.now() < deadline) {
    await Promise.race([asking.answer(), untilTime(deadline)]);
    missing = check();
  }
  return missing;
}

function permissionRefusal(
  cluster: Cluster,
  { object, oldObject, userInfo }: AdmissionRequest,
  authorizer: Authorizer,
): Status | undefined {
  const written = object as KubernetesObject;
  const kind = String(member(written, 'kind'));
  const policies = kind.startsWith('Validating')
    ? cluster.validatingPolicies
    : cluster.mutatingPolicies;
  const error = parameterPermissionError(
    { kind, object: written, old: (oldObject ?? undefined) as KubernetesObject | undefined },
    {
      user: userInfo ?? {},
      authorizer,
      schemas: cluster.schemas,
      findPolicy: (name) =>
        policies.find((policy) => metadataString(policy as KubernetesObject, 'name') === name) as
          | KubernetesObject
          | undefined,
    },
  );
  return error === undefined
    ? undefined
    : invalidStatus({ group: ownGroup, name: kind }, metadataString(written, 'name'), [error]);
}
