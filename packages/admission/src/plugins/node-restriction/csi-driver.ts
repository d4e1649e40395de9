import { type KubernetesObject, member, memberText, metadataString } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import type { PluginCluster } from '../plugin.ts';

/** The CSI driver of a volume, or why it cannot be found; neither for volumes without one. */
export interface CsiDriver {
  readonly object?: KubernetesObject | undefined;
  readonly error?: string | undefined;
}

/** Returns the CSI driver behind a volume of a pod: its own, or that of its claim. */
export function driverOf(
  volume: unknown,
  pod: KubernetesObject,
  cluster: PluginCluster,
): CsiDriver {
  const claim = claimOf(volume, pod);
  const found =
    claim === undefined
      ? { name: driverIn(volume) }
      : driverOfClaim(metadataString(pod, 'namespace'), claim, cluster);
  if (found.error !== undefined) return { error: found.error };
  const { name = '' } = found;
  if (name === '') return {};
  const object = cluster.get('csidrivers.storage.k8s.io', '', name);
  return object === undefined ? { error: missing('csidriver.storage.k8s.io', name) } : { object };
}

function claimOf(volume: unknown, pod: KubernetesObject): string | undefined {
  if (member(member(volume, 'ephemeral'), 'volumeClaimTemplate'))
    return `${metadataString(pod, 'name')}-${memberText(volume, 'name')}`;
  const claim = member(volume, 'persistentVolumeClaim');
  return claim ? memberText(claim, 'claimName') : undefined;
}

interface DriverName {
  readonly name?: string | undefined;
  readonly error?: string | undefined;
}

function driverOfClaim(namespace: string, name: string, cluster: PluginCluster): DriverName {
  const claim = cluster.get('persistentvolumeclaims', namespace, name);
  if (claim === undefined) return { error: missing('persistentvolumeclaim', name) };
  const volumeName = memberText(member(claim, 'spec'), 'volumeName');
  const volume = cluster.get('persistentvolumes', '', volumeName);
  if (volume === undefined) return { error: missing('persistentvolume', volumeName) };
  return { name: driverIn(member(volume, 'spec')) };
}

/** The text of an error of a lister (client-go). */
function missing(resource: string, name: string): string {
  return `${resource} ${quote(name)} not found`;
}

/** Returns the name of the driver of a volume source; those within Kubernetes were replaced by drivers. */
function driverIn(source: unknown): string {
  const csi = member(source, 'csi');
  if (csi) return memberText(csi, 'driver');
  const field = Object.keys(replacedSources).find((each) => Boolean(member(source, each)));
  return (field && replacedSources[field]) ?? '';
}

/** The drivers that replaced volume sources (csi-translation-lib/plugins). */
const replacedSources: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};
