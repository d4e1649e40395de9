import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { placed } from '../requests/request-parts.ts';
import type { CheckedManifests } from './default-plugins.ts';

/** The kinds that admission plugins look up. */
const pluginKinds: ReadonlySet<string> = new Set([
  'LimitRange',
  'ResourceQuota',
  'ServiceAccount',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'IngressClass',
  'DeviceClass',
  'Node',
]);

/** Whether admission plugins look up objects of the kind of a manifest. */
export function isReadByPlugins({ kind }: Pick<Manifest, 'kind'>): boolean {
  return pluginKinds.has(kind);
}

/** The manifests of a check, and where those without a namespace go. */
export interface PluginManifests {
  readonly inputs: Pick<CheckedManifests, 'leftovers' | 'subjects'>;
  readonly schemas: Schemas;
  readonly namespace: string;
}

/** Returns the objects that admission plugins look up, by their manifests; those to check are among them. */
export function pluginObjects({
  inputs: { leftovers, subjects },
  schemas,
  namespace,
}: PluginManifests): ReadonlyMap<Manifest, KubernetesObject> {
  const read = [...leftovers, ...subjects].filter(isReadByPlugins);
  return new Map(read.map((manifest) => [manifest, placed(manifest.object, schemas, namespace)]));
}
