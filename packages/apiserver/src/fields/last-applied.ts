import {
  compareValues,
  difference,
  type FieldSet,
  noFields,
  union,
} from '@kubeadmit/admission/managed-fields';
import { isObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { formatJson } from '@kubeadmit/go';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { metadataOf, withMetadata } from '../objects/metadata.ts';
import { fieldsOf } from './fields-of.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const longest = 262_144;

/** The manager that takes over from client-side apply: kubectl's, when it applies on the server. */
export const bridgeManager: string = 'kubectl';

/** The fields that still are as client-side apply left them, which kubectl may take (managedfields `lastAppliedManager`). */
export function lastAppliedFields(live: KubernetesObject, type: MergeType): FieldSet {
  const text = metadataOf(live).annotations?.[annotation];
  if (text === undefined) return noFields;
  try {
    const applied = JSON.parse(text) as unknown;
    if (!isObject(applied)) return noFields;
    const { modified, added } = compareValues(live, applied, type);
    return difference(fieldsOf(applied, type), union(modified, added));
  } catch {
    return noFields;
  }
}

/**
 * An object whose annotation of client-side apply, if it has one, contains the current configuration
 * (`lastAppliedUpdater`).
 */
export function withLastApplied(
  object: KubernetesObject,
  configuration: KubernetesObject,
): KubernetesObject {
  const { annotations } = metadataOf(object);
  if (annotations?.[annotation] === undefined) return object;
  const text = `${formatJson(configuration, { isSorted: true })}\n`;
  if (text.length > longest) return object;
  return withMetadata(object, { annotations: { ...annotations, [annotation]: text } });
}
