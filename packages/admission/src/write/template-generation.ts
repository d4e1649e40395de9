import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Endpoint } from './endpoint.ts';
import { type Metadata, metadataOf, withMetadata } from './metadata.ts';

const annotation = 'deprecated.daemonset.template.generation';

/** Returns how often the template of a daemon set has changed, as recorded in an annotation. */
export function templateGeneration(object: KubernetesObject): number {
  return Number(metadataOf(object).annotations?.[annotation] ?? 0);
}

/** A daemon set with another number of changes of its template. */
export function withTemplateGeneration(object: KubernetesObject, count: number): KubernetesObject {
  const annotations = { ...metadataOf(object).annotations, [annotation]: String(count) };
  return withMetadata(object, { annotations });
}

/**
 * The metadata of an object in the internal form of its kind, of which kube-apiserver makes tables: daemon sets count
 * the changes of their template in a field there.
 */
export function internalMetadata({ isCustom, name }: Endpoint, object: KubernetesObject): Metadata {
  const metadata = metadataOf(object);
  const isCounted = !isCustom && name.name === 'daemonsets' && name.group === 'apps';
  if (!isCounted || metadata.annotations?.[annotation] === undefined) return metadata;
  const { [annotation]: _, ...others } = metadata.annotations;
  const annotations = Object.keys(others).length === 0 ? undefined : others;
  return metadataOf(withMetadata(object, { annotations }));
}
