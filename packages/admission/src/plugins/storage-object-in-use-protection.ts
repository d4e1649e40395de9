import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { metadataOf, withMetadata } from '../write/metadata.ts';
import type { AdmissionPlugin, PluginRequest } from './plugin.ts';

const finalizers: Readonly<Record<string, string>> = {
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

/** Adds the finalizer that keeps volumes, claims and their classes until nothing uses them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  mutate: (request, { minor }) => {
    const { object } = request;
    const finalizer = finalizerFor(request, minor);
    if (object === null || finalizer === undefined) return undefined;
    const own = metadataOf(object).finalizers ?? [];
    if (own.includes(finalizer)) return undefined;
    return { object: withMetadata(object, { finalizers: [...own, finalizer] }) };
  },
};

function finalizerFor({ resource, subresource }: PluginRequest, minor: number): string | undefined {
  const name = `${resource.group}/${resource.resource}`;
  if (subresource !== '' || !Object.hasOwn(finalizers, name)) return undefined;
  if (resource.group !== '' && !isFeatureOn('VolumeAttributesClass', minor)) return undefined;
  return finalizers[name];
}
