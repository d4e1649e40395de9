import { type KubernetesObject, member, type ObjectMeta } from '@kubeadmit/apimachinery';
import {
  type ManagedFieldsEntry,
  objectMetaFields,
} from '@kubeadmit/apimachinery/unstable-internal';
import { setKey } from '@kubeadmit/base';
import { changeAlike } from './to-version.ts';

/** The metadata of a stored object. */
export interface Metadata extends Omit<ObjectMeta, 'managedFields'> {
  /** Who set which fields. */
  readonly managedFields?: readonly FieldsEntry[] | null;
}

/** One entry of the record of who set which fields, with the fields. */
export interface FieldsEntry extends ManagedFieldsEntry {
  /** The version that the fields belong to. */
  readonly apiVersion?: string;
  /** The time of the last change, in RFC 3339. */
  readonly time?: string;
  /** The set of fields. */
  readonly fieldsV1?: KubernetesObject;
}

const known: ReadonlySet<string> = new Set(objectMetaFields);

/** The metadata of an object; empty when it has none. */
export function metadataOf(object: KubernetesObject): Metadata {
  const metadata = member(object, 'metadata');
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? (metadata as Metadata)
    : {};
}

/** The name of an object; empty when it has none. */
export function nameOf(object: KubernetesObject): string {
  return metadataOf(object).name ?? '';
}

/**
 * Returns an object with changed metadata, in the order in which the server writes it. A field whose new value is
 * undefined is removed.
 */
export function withMetadata(
  object: KubernetesObject,
  changes: { readonly [Name in keyof Metadata]: Metadata[Name] | undefined },
): KubernetesObject {
  return changeAlike(object, (form) => changedMetadata(form, changes));
}

function changedMetadata(object: KubernetesObject, changes: object): KubernetesObject {
  const merged: Readonly<Record<string, unknown>> = { ...metadataOf(object), ...changes };
  const ordered: Record<string, unknown> = {};
  for (const name of objectMetaFields) {
    if (Object.hasOwn(merged, name) && merged[name] !== undefined) ordered[name] = merged[name];
  }
  for (const name of Object.keys(merged)) {
    if (known.has(name) || name === 'selfLink' || merged[name] === undefined) continue;
    setKey(ordered, name, merged[name]);
  }
  return changedMember(object, 'metadata', ordered);
}

/** An object with the resource version of a revision of the store. */
export function withRevision(object: KubernetesObject, revision: number): KubernetesObject {
  return withMetadata(object, { resourceVersion: String(revision) });
}

/**
 * Returns an object with another member, which keeps its position or follows `kind`, `apiVersion` and `metadata`.
 */
export function withMember(
  object: KubernetesObject,
  name: string,
  value: unknown,
): KubernetesObject {
  return changeAlike(object, (form) => changedMember(form, name, value));
}

function changedMember(object: KubernetesObject, name: string, value: unknown): KubernetesObject {
  if (Object.hasOwn(object, name) || name !== 'metadata') return { ...object, [name]: value };
  const { kind, apiVersion, ...rest } = object;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    [name]: value,
    ...rest,
  };
}

/** An object without a member. */
export function withoutMember(object: KubernetesObject, name: string): KubernetesObject {
  if (!Object.hasOwn(object, name)) return object;
  return changeAlike(object, ({ [name]: _, ...rest }) => rest);
}

/** Copies a member from one object to another, or removes it if the source does not have it. */
export function copyMember(
  to: KubernetesObject,
  from: KubernetesObject,
  name: string,
): KubernetesObject {
  const value = member(from, name);
  return value === undefined ? withoutMember(to, name) : withMember(to, name, value);
}
