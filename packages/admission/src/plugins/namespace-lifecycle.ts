import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { forbiddenStatus, notFoundStatus } from '@kubeadmit/apimachinery/status';
import { isNamespaceKind } from '@kubeadmit/engine';
import type { AdmissionPlugin } from './plugin.ts';
import { forbid, refuse } from './refusal.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses new objects in namespaces that do not exist or end, and the deletion of the first namespaces. */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  reads: ['namespaces'],
  mutate: (request, cluster) => {
    const { kind, operation, resource, namespace, name } = request;
    if (isNamespaceKind(kind)) {
      if (operation !== 'DELETE' || !immortal.has(name)) return undefined;
      const subject = { group: resource.group, name: resource.resource };
      return refuse(forbiddenStatus(subject, name, 'this namespace may not be deleted'));
    }
    if (namespace === '' || operation !== 'CREATE') return undefined;
    // Access reviews must not reveal whether a namespace exists.
    if (resource.resource === 'localsubjectaccessreviews') return undefined;
    const found = cluster.get('namespaces', '', namespace);
    if (found === undefined)
      return refuse(notFoundStatus({ group: '', name: 'namespaces' }, namespace));
    if (!isTerminating(found)) return undefined;
    const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const cause = {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    };
    return { ...forbid(request, text, [cause]), causes: [found] };
  },
};

function isTerminating(namespace: KubernetesObject): boolean {
  return member(member(namespace, 'status'), 'phase') === 'Terminating';
}
