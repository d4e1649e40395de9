import { type KubernetesObject, member, memberList, memberObject } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct, structOf } from '@kubeadmit/schemas/types';
import { withDataSources } from './data-source.ts';
import { type Endpoint, isCore } from './endpoint.ts';
import { copyMember, metadataOf, nameOf, withMember, withMetadata } from './metadata.ts';
import { withKeptResources, withLateResources } from './prepare-pod.ts';
import { semanticallyEqual } from './semantic-equality.ts';
import { changedBySubresource } from './subresource-changes.ts';
import { templateGeneration, withTemplateGeneration } from './template-generation.ts';
import { storedVersions } from './to-version.ts';
import { withoutDisabledFields } from './without-disabled-fields.ts';

/**
 * Prepares a changed object by its strategy (`PrepareForUpdate`): restores the fields that the resource or subresource
 * may not change, and increments the generation if the desired state changed.
 */
export function prepareChanged(
  schemas: Schemas,
  endpoint: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject,
): KubernetesObject {
  const { strategy, subresource, isCustom, name } = endpoint;
  const limited = changedBySubresource(endpoint, object, old, schemas.minor);
  if (limited !== undefined && subresource?.name === 'status')
    return withoutDisabledFields(schemas, endpoint, limited, old);
  let prepared = withMetadata(limited ?? object, { generation: metadataOf(old).generation });
  if (strategy.resetsStatus && !isCore(endpoint, 'nodes') && subresource?.name !== 'approval') {
    prepared = copyMember(prepared, old, 'status');
  }
  if (isCore(endpoint, 'pods')) prepared = withKeptResources(prepared, old, schemas.minor);
  if (subresource?.name === 'resize') prepared = withLateResources(prepared, schemas.minor);
  prepared = withoutDisabledFields(schemas, endpoint, prepared, old);
  if (isCore(endpoint, 'services')) prepared = withoutBalancerStatus(prepared);
  if (isCore(endpoint, 'namespaces')) {
    prepared = namespaceChanged(prepared, old, subresource?.name);
  }
  if (name.group === 'apiextensions.k8s.io') prepared = withStoredVersion(prepared);
  if (!isCustom && name.name === 'persistentvolumeclaims')
    prepared = withDataSources(prepared, old);
  if (name.group === 'certificates.k8s.io' && subresource === undefined)
    prepared = withKeptRequest(endpoint, prepared, old);
  if (!isCustom && name.name === 'daemonsets') prepared = daemonSetChanged(schemas, prepared, old);
  if (!strategy.countsUpdates) return prepared;
  if (!isOtherWish(schemas, endpoint, prepared, old)) return prepared;
  return withMetadata(prepared, { generation: Number(metadataOf(old).generation ?? 0) + 1 });
}

/** A service of another type has no status of a load balancer. */
function withoutBalancerStatus(service: KubernetesObject): KubernetesObject {
  if (member(member(service, 'spec'), 'type') === 'LoadBalancer') return service;
  const status = memberObject(service, 'status');
  return withMember(service, 'status', { ...status, loadBalancer: {} });
}

function namespaceChanged(
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string | undefined,
): KubernetesObject {
  const labels = metadataOf(object).labels ?? {};
  const labelled = withMetadata(object, {
    labels: { ...labels, 'kubernetes.io/metadata.name': nameOf(object) },
  });
  if (subresource === 'finalize') return labelled;
  return copyMember(labelled, old, 'spec');
}

// A definition remembers every version in which objects were stored.
function withStoredVersion(definition: KubernetesObject): KubernetesObject {
  const status = memberObject(definition, 'status');
  const before = memberList(status, 'storedVersions');
  const [stored] = storedVersions(definition);
  if (stored === undefined || before.includes(stored)) return definition;
  return withMember(definition, 'status', { ...status, storedVersions: [...before, stored] });
}

// A signing request never changes (certificates `csrStrategy.PrepareForUpdate`).
function withKeptRequest(
  { name }: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject,
): KubernetesObject {
  return name.name === 'certificatesigningrequests' ? copyMember(object, old, 'spec') : object;
}

// Daemon sets count the changes of their template.
function daemonSetChanged(
  schemas: Schemas,
  object: KubernetesObject,
  old: KubernetesObject,
): KubernetesObject {
  const template = (of: KubernetesObject): object =>
    (member(member(of, 'spec'), 'template') ?? {}) as object;
  const before = templateGeneration(old);
  const isSame = isSameStruct(schemas, 'core.v1.PodTemplateSpec', template(object), template(old));
  return withTemplateGeneration(object, isSame ? before : before + 1);
}

/** Metadata that some resources count as a wish. */
const countedMetadata: Readonly<Record<string, 'annotations' | 'labels'>> = {
  deployments: 'annotations',
  endpointslices: 'labels',
};

// Whether anything differs but metadata and, where it is reset, the status.
function isOtherWish(
  schemas: Schemas,
  { strategy, isCustom, name, kind }: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject,
): boolean {
  const ignored = new Set(['metadata', 'apiVersion', 'kind']);
  const counted = countedMetadata[name.name];
  if (!isCustom && counted !== undefined) {
    const before = metadataOf(old)[counted];
    if (!semanticallyEqual(metadataOf(object)[counted], before)) return true;
  }
  if (!isCustom || strategy.resetsStatus) ignored.add('status');
  const wishOf = (of: KubernetesObject): object =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !ignored.has(name)));
  // Custom resources have no Go types, in which an empty list or map would be equal to none.
  if (isCustom) return !deepEqual(wishOf(object), wishOf(old));
  const type = structOf(schemas, kind);
  return type === undefined
    ? !semanticallyEqual(wishOf(object), wishOf(old))
    : !isSameStruct(schemas, type.name, wishOf(object), wishOf(old));
}
