import { type KubernetesObject, kindOfObject, member, memberList } from '@kubeadmit/apimachinery';
import { findResourceOfKind } from '@kubeadmit/schemas';
import type { ApiClient } from '../http/api-client.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { objectPath } from '../objects/group-version.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';

/** Objects of one resource that are kept while others use them, by a finalizer of StorageObjectInUseProtection. */
export interface StorageProtection {
  /** The start of the keys of the objects. */
  readonly prefix: string;
  readonly finalizer: string;
  /** The name of the controller in kube-controller-manager. */
  readonly controller: string;
  readonly isUsed: (machinery: Machinery, object: KubernetesObject) => Promise<boolean>;
}

const claims = '/registry/persistentvolumeclaims/';
const volumes = '/registry/persistentvolumes/';

/** The protected resources of storage (pkg/controller/volume/pvcprotection, pvprotection and vacprotection). */
export const storageProtections: readonly StorageProtection[] = [
  {
    prefix: claims,
    finalizer: 'kubernetes.io/pvc-protection',
    controller: 'pvc-protection-controller',
    isUsed: isClaimUsed,
  },
  {
    prefix: volumes,
    finalizer: 'kubernetes.io/pv-protection',
    controller: 'pv-protection-controller',
    isUsed: async (_, volume) => member(member(volume, 'status'), 'phase') === 'Bound',
  },
  {
    prefix: '/registry/volumeattributesclasses/',
    finalizer: 'kubernetes.io/vac-protection',
    controller: 'volumeattributesclass-protection-controller',
    isUsed: isClassUsed,
  },
];

/** When an object that is used, or that could not be written, is looked at again, in milliseconds. */
const lookAgainAfter = 500;

/** Removes the finalizer of a deleted object that nothing uses any more, so that it disappears. */
export async function releaseUnused(
  machinery: Machinery,
  client: ApiClient,
  { finalizer, isUsed }: StorageProtection,
  object: KubernetesObject,
): Promise<number | undefined> {
  const { deletionTimestamp, namespace = '' } = metadataOf(object);
  const finalizers = metadataOf(object).finalizers ?? [];
  if (!deletionTimestamp || !finalizers.includes(finalizer)) return undefined;
  if (await isUsed(machinery, object)) return lookAgainAfter;
  const kind = kindOfObject(object);
  const resource = kind && findResourceOfKind(machinery.cluster.schemas, kind);
  if (resource === undefined) return undefined;
  const metadata = {
    ...metadataOf(object),
    finalizers: finalizers.filter((each) => each !== finalizer),
  };
  const path = objectPath(resource, namespace, nameOf(object));
  const { status } = await client.ask({ method: 'PUT', path, body: { ...object, metadata } });
  return status >= 400 && status !== 404 ? lookAgainAfter : undefined;
}

/** Whether a pod on a node mounts a claim. The kubelet starts no other pod with a claim that is being deleted. */
async function isClaimUsed(machinery: Machinery, claim: KubernetesObject): Promise<boolean> {
  const { namespace = '' } = metadataOf(claim);
  const pods = await objectsUnder(machinery, `/registry/pods/${namespace}/`);
  return pods.some((pod) => {
    const spec = member(pod, 'spec');
    return (
      Boolean(member(spec, 'nodeName')) &&
      memberList(spec, 'volumes').some(
        (volume) => member(member(volume, 'persistentVolumeClaim'), 'claimName') === nameOf(claim),
      )
    );
  });
}

async function isClassUsed(machinery: Machinery, { metadata }: KubernetesObject): Promise<boolean> {
  const name = nameOf({ metadata });
  const all = [
    ...(await objectsUnder(machinery, volumes)),
    ...(await objectsUnder(machinery, claims)),
  ];
  return all.some((object) => {
    const status = member(object, 'status');
    return [
      member(member(object, 'spec'), 'volumeAttributesClassName'),
      member(status, 'currentVolumeAttributesClassName'),
      member(member(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
    ].includes(name);
  });
}

async function objectsUnder(
  { registry: { store, cache } }: Machinery,
  prefix: string,
): Promise<readonly KubernetesObject[]> {
  const { entries } = await store.range({ prefix });
  return entries.map((entry) => cache.objectOf(entry));
}
