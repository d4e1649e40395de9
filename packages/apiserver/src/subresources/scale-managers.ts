import { type KubernetesObject, memberObject } from '@kubeadmit/apimachinery';
import type { FieldsEntry } from '../objects/metadata.ts';

type Entries = readonly FieldsEntry[];

const scaleReplicas = ['f:spec', 'f:replicas'];

/** Returns the managers of the replicas of an object as those of its scale (managedfields `ScaleHandler.ToSubresource`). */
export function managersOfScale(entries: Entries, replicasPath: string): Entries {
  const path = fieldPath(replicasPath);
  return entries
    .filter(({ fieldsV1 }) => owns(fieldsV1, path))
    .map((entry) => ({ ...entry, fieldsV1: fieldsAt(scaleReplicas) }));
}

/**
 * Returns the managers of an object after those of its scale have changed (managedfields `ScaleHandler.ToParent`).
 *
 * @param apiVersion the version of the object
 */
export function managersOfParent(
  entries: Entries,
  ofScale: Entries,
  { apiVersion, replicasPath }: { readonly apiVersion: string; readonly replicasPath: string },
): Entries {
  const path = fieldPath(replicasPath);
  const owners = ofScale.filter(({ fieldsV1 }) => owns(fieldsV1, scaleReplicas));
  const kept = entries.flatMap((entry) => {
    const { fieldsV1 = {} } = entry;
    if (!owns(fieldsV1, path) || owners.some((owner) => isSameManager(owner, entry)))
      return [entry];
    const fields = withoutField(fieldsV1, path);
    return Object.keys(fields).length === 0 ? [] : [{ ...entry, fieldsV1: fields }];
  });
  const added = owners
    .filter((owner) => !kept.some((entry) => isSameManager(owner, entry)))
    .map((owner) => ({ ...owner, apiVersion, fieldsV1: fieldsAt(path) }));
  return [...kept, ...added];
}

function isSameManager(one: FieldsEntry, other: FieldsEntry): boolean {
  return (['manager', 'operation', 'subresource'] as const).every(
    (field) => (one[field] ?? '') === (other[field] ?? ''),
  );
}

function fieldPath(path: string): readonly string[] {
  return path
    .replace(/^\./, '')
    .split('.')
    .map((name) => `f:${name}`);
}

function fieldsAt(path: readonly string[]): KubernetesObject {
  return path.reduceRight<KubernetesObject>((inner, name) => ({ [name]: inner }), {});
}

function owns(
  fields: KubernetesObject | undefined,
  [name = '', ...rest]: readonly string[],
): boolean {
  if (fields === undefined || !Object.hasOwn(fields, name)) return false;
  return rest.length === 0 || owns(memberObject(fields, name), rest);
}

function withoutField(
  fields: KubernetesObject,
  [name = '', ...rest]: readonly string[],
): KubernetesObject {
  const { [name]: _, ...others } = fields;
  if (rest.length === 0) return others;
  const inner = withoutField(memberObject(fields, name), rest);
  return Object.keys(inner).length === 0 ? others : { ...fields, [name]: inner };
}
