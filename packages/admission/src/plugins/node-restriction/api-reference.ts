import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { configMapNames, secretNames } from '../pod-references.ts';

/** The resource that a pod refers to, or the error of an unknown reference; neither if it refers to none. */
export interface ApiReference {
  readonly resource?: string | undefined;
  readonly error?: string | undefined;
}

/** Returns the first resource of the API that a pod refers to (api/pod `HasAPIObjectReference`). */
export function apiReference(pod: KubernetesObject): ApiReference {
  const spec = member(pod, 'spec');
  if (memberText(spec, 'serviceAccountName') !== '') return { resource: 'serviceaccounts' };
  if (secretNames(pod).length > 0) return { resource: 'secrets' };
  if (configMapNames(pod).length > 0) return { resource: 'configmaps' };
  if (memberList(spec, 'resourceClaims').length > 0) return { resource: 'resourceclaims' };
  for (const volume of memberList(spec, 'volumes')) {
    const found = referenceOfVolume(volume);
    if (found.resource !== undefined || found.error !== undefined) return found;
  }
  return {};
}

const localSources = [
  ...['awsElasticBlockStore', 'azureDisk', 'cephfs', 'cinder', 'downwardAPI', 'emptyDir', 'fc'],
  ...['flexVolume', 'flocker', 'gcePersistentDisk', 'gitRepo', 'hostPath', 'image', 'iscsi', 'nfs'],
  ...['photonPersistentDisk', 'portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos'],
  'vsphereVolume',
];

const volumeSources: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
};

const projectedSources: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
};

function referenceOfVolume(volume: unknown): ApiReference {
  const name = quote(memberText(volume, 'name'));
  const has = (field: string): boolean => Boolean(member(volume, field));
  if (localSources.some(has)) return {};
  const source = Object.keys(volumeSources).find(has);
  if (source !== undefined) return { resource: volumeSources[source] };
  // Two spaces, as in kube-apiserver.
  if (!has('projected')) return { error: `unknown volume type for volume  ${name}` };
  for (const each of memberList(member(volume, 'projected'), 'sources')) {
    const projected = Object.keys(projectedSources).find((field) => Boolean(member(each, field)));
    if (projected !== undefined) return { resource: projectedSources[projected] };
    if (!member(each, 'downwardAPI'))
      return { error: `unknown source for projected volume ${name}` };
  }
  return {};
}
