import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { ApiError } from '../errors/api-error.ts';
import { forbiddenError, notFound } from '../errors/failures.ts';
import { isCore } from '../kinds/endpoint.ts';
import type { Exchange } from '../machinery.ts';
import { metadataOf } from '../objects/metadata.ts';
import type { AdmissionAttributes } from './attributes.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);
const namespaces = { group: '', name: 'namespaces' };

/** Refuses what needs a namespace that is not there or ends (admission plugin NamespaceLifecycle). */
export function checkNamespace(exchange: Exchange, attributes: AdmissionAttributes): void {
  const { endpoint, operation, namespace, name, object } = attributes;
  const isNamespace = isCore(endpoint, 'namespaces');
  if (operation === 'DELETE') {
    if (isNamespace && immortal.has(name)) {
      throw forbiddenError(namespaces, name, 'this namespace may not be deleted');
    }
    return;
  }
  if (namespace === '' || isNamespace || endpoint.name.name === 'localsubjectaccessreviews') return;
  const found = exchange.machinery.cluster.namespaces.get(namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (operation === 'CREATE' && isTerminating(found)) throw terminating(attributes, object);
}

function isTerminating(namespace: KubernetesObject): boolean {
  return (
    Boolean(metadataOf(namespace).deletionTimestamp) ||
    member(member(namespace, 'status'), 'phase') === 'Terminating'
  );
}

function terminating(
  { endpoint, namespace, name }: AdmissionAttributes,
  object: KubernetesObject | null,
): ApiError {
  const shown = name || (object === null ? '' : (metadataOf(object).name ?? ''));
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbiddenError(endpoint.name, shown, text);
  const causes = [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ];
  return new ApiError({ ...status, details: { ...status.details, causes } });
}
