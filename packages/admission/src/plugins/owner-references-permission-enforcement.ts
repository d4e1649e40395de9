import { type KubernetesObject, kindOfObject } from '@kubeadmit/apimachinery';
import type { AuthorizerAttributes, AuthorizerDecision } from '@kubeadmit/engine';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { type Metadata, metadataOf } from '../write/metadata.ts';
import { semanticallyEqual } from '../write/semantic-equality.ts';
import { authorizerUser } from './authorizer-user.ts';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from './plugin.ts';
import { forbid } from './refusal.ts';

type OwnerReference = NonNullable<Metadata['ownerReferences']>[number];

type ResourceAttributes = Extract<AuthorizerAttributes, { readonly kind: 'resource' }>;

/** Refuses changes of owners by users who may not delete the object, or not set finalizers of a blocking owner. */
export const ownerReferencesPermissionEnforcement: AdmissionPlugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  operations: ['CREATE', 'UPDATE'],
  validate: (request, cluster) => {
    const { object, oldObject, operation } = request;
    if (object === null || isStatusOfPod(request)) return undefined;
    const [owners, before] = [ownersOf(object), ownersOf(oldObject)];
    if (semanticallyEqual(owners, before)) return undefined;
    if (operation !== 'CREATE') {
      const { resource, subresource, namespace, name } = request;
      const { group, resource: plural } = resource;
      const asked = { group, resource: plural, subresource, namespace, name };
      const decided = decide(request, cluster, { verb: 'delete', ...asked });
      if (decided.decision !== 'allow') {
        return forbid(
          request,
          `cannot set an ownerRef on a resource you can't delete: ${decided.reason}, <nil>`,
        );
      }
    }
    return checkBlocking(request, cluster, newBlocking(owners, before));
  },
};

function isStatusOfPod({ resource: { group, resource }, subresource }: PluginRequest): boolean {
  return group === '' && resource === 'pods' && subresource === 'status';
}

function ownersOf(object: KubernetesObject | null): readonly OwnerReference[] {
  return (object === null ? undefined : metadataOf(object).ownerReferences) ?? [];
}

/** The references that block the deletion of their owner and did not before. */
function newBlocking(
  owners: readonly OwnerReference[],
  before: readonly OwnerReference[],
): readonly OwnerReference[] {
  return owners
    .filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true)
    .filter(({ uid }) => before.findLast((old) => old.uid === uid)?.blockOwnerDeletion !== true);
}

function checkBlocking(
  request: PluginRequest,
  cluster: PluginCluster,
  references: readonly OwnerReference[],
): PluginOutcome | undefined {
  if (references.length === 0) return undefined;
  const all = { group: '*', resource: '*', namespace: '', name: '*' };
  const update = { verb: 'update', subresource: 'finalizers' };
  if (decide(request, cluster, { ...update, ...all }).decision === 'allow') return undefined;
  for (const { apiVersion = '', kind = '', name = '' } of references) {
    const own = kindOfObject({ apiVersion, kind });
    const resource = own && findResourceOfKind(cluster.schemas, own);
    if (resource === undefined) {
      const why = `no matches for kind "${kind}" in version "${apiVersion}"`;
      return forbid(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`,
      );
    }
    const namespace = resource.namespaced ? request.namespace : '';
    const asked = { group: resource.group, resource: resource.resource, namespace, name };
    const decided = decide(request, cluster, { ...update, ...asked });
    if (decided.decision !== 'allow') {
      return forbid(
        request,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${decided.reason}, <nil>`,
      );
    }
  }
  return undefined;
}

function decide(
  { user }: PluginRequest,
  { authorizer }: PluginCluster,
  asked: Omit<ResourceAttributes, 'kind' | 'user'>,
): AuthorizerDecision {
  return authorizer.authorize({ kind: 'resource', user: authorizerUser(user), ...asked });
}
