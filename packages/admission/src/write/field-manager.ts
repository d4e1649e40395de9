import {
  formatGroupName,
  formatGroupVersion,
  type KubernetesObject,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';
import { type PatchValue, validateValue } from '@kubeadmit/mutator';
import { convertVersion, type Schemas } from '@kubeadmit/schemas';
import { mergeType } from '@kubeadmit/schemas/merge';
import { changeOwners, type VersionedPair } from './change-owners.ts';
import type { Endpoint } from './endpoint.ts';
import {
  difference,
  type FieldSet,
  fieldSetOf,
  noFields,
  recursiveDifference,
  union,
} from './field-set.ts';
import {
  capManagers,
  isReset,
  type Managed,
  type ManagedFields,
  managedKey,
  readManagedFields,
  writeManagedFields,
} from './managed-fields.ts';
import { metadataOf, withMetadata } from './metadata.ts';
import { zeroObject } from './zero-object.ts';

/** Who writes, where and when. */
export interface FieldWrite {
  /** The resource or subresource that is written. */
  readonly endpoint: Endpoint;
  /** The kinds of the server. */
  readonly schemas: Schemas;
  /** The name of the manager. */
  readonly manager: string;
  /** RFC 3339. */
  readonly now: string;
}

/** Fields without an owner (`stripMeta`). */
const strippedFields: FieldSet = fieldSetOf([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);

/** Built-in resources whose status subresource does not change metadata either, as that of policies. */
const wholeStatus: ReadonlySet<string> = new Set([
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'servicecidrs.networking.k8s.io',
  'resourceclaims.resource.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'volumeattachments.storage.k8s.io',
  'podcertificaterequests.certificates.k8s.io',
  'storageversionmigrations.storagemigration.k8s.io',
]);

/** The fields that requests for certificates never change, by subresource (certificates strategies). */
const ofSigningRequests: Readonly<Record<string, FieldSet>> = {
  '': fieldSetOf([['f:spec'], ['f:status']]),
  status: fieldSetOf([['f:spec'], ['f:status', 'f:conditions']]),
  approval: fieldSetOf([['f:spec'], ['f:status', 'f:certificate']]),
};

/** The fields that an endpoint never changes, so that no manager can own them there (`GetResetFields`). */
export function ignoredFields({ strategy, subresource, isCustom, name }: Endpoint): FieldSet {
  const qualified = formatGroupName(name);
  if (qualified === 'certificatesigningrequests.certificates.k8s.io') {
    return ofSigningRequests[subresource?.name ?? ''] ?? noFields;
  }
  if (subresource?.name === 'status') {
    const isWhole =
      isCustom || name.group === 'admissionregistration.k8s.io' || wholeStatus.has(qualified);
    return fieldSetOf(isWhole ? [['f:spec'], ['f:metadata']] : [['f:spec']]);
  }
  return strategy.resetsStatus ? fieldSetOf([['f:status']]) : noFields;
}

/** Returns the entry of the manager of a write, without fields. */
export function ownEntry(
  { endpoint, manager, now }: FieldWrite,
  operation: 'Apply' | 'Update',
): Managed {
  return {
    manager,
    operation,
    apiVersion: formatGroupVersion(endpoint.kind),
    subresource: endpoint.subresource?.name ?? '',
    time: now,
    fields: noFields,
  };
}

/** Two states of an object in any version that is served. */
export function pairIn(
  { endpoint, schemas }: FieldWrite,
  before: KubernetesObject,
  after: KubernetesObject,
): (apiVersion: string) => VersionedPair | undefined {
  const own = formatGroupVersion(endpoint.kind);
  return (apiVersion) => {
    const groupVersion = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
    const kind = { ...groupVersion, kind: endpoint.kind.kind };
    const type = mergeType(schemas, kind);
    if (type === undefined) return undefined;
    const inVersion = (object: KubernetesObject): unknown =>
      apiVersion === own || Object.keys(object).length === 0
        ? object
        : convertVersion(schemas, object, kind).object;
    return { before: inVersion(before), after: inVersion(after), type };
  };
}

/**
 * Updates the managed fields of an object after an update other than an apply (managedfields
 * `FieldManager.Update`).
 *
 * @param live The previous object; empty for a new object
 */
export function trackUpdate(
  live: KubernetesObject,
  object: KubernetesObject,
  write: FieldWrite,
): KubernetesObject {
  const managed = recordBefore(live, object, write.endpoint);
  const stripped = withMetadata(object, { managedFields: undefined });
  const isNew = (metadataOf(live).uid ?? '') === '';
  if (managed.size === 0 && !isNew) return stripped;
  if (!isTyped(live, write) || !isTyped(stripped, write)) {
    return withMetadata(object, { managedFields: metadataOf(live).managedFields });
  }
  const before = isNew ? zeroObject(write.schemas, write.endpoint.kind) : withoutRecord(live);
  return withRecord(stripped, recordUpdate(before, stripped, { ...write, managed }));
}

// An object that does not fit its definition has no fields to own, for example one older than the definition's
// schema.
function isTyped(object: KubernetesObject, { endpoint, schemas }: FieldWrite): boolean {
  const type = endpoint.isCustom ? mergeType(schemas, endpoint.kind) : undefined;
  if (type === undefined) return true;
  return validateValue(object as PatchValue as never, type, { allowDuplicates: true }).length === 0;
}

/** An object without its record. */
export function withoutRecord(object: KubernetesObject): KubernetesObject {
  return metadataOf(object).managedFields === undefined
    ? object
    : withMetadata(object, { managedFields: undefined });
}

/** Returns an object with the given managers in its metadata. */
export function withRecord(object: KubernetesObject, managed: ManagedFields): KubernetesObject {
  const entries = writeManagedFields(managed);
  return withMetadata(object, { managedFields: entries.length === 0 ? undefined : entries });
}

// The record that an update starts from: its own where it brings one, else that of the live object.
function recordBefore(
  live: KubernetesObject,
  object: KubernetesObject,
  { subresource }: Endpoint,
): ManagedFields {
  const of = (from: KubernetesObject): ManagedFields =>
    readManagedFields(metadataOf(from).managedFields) ?? new Map<string, Managed>();
  if (subresource !== undefined) return of(live);
  const own = metadataOf(object).managedFields;
  if (isReset(own)) return new Map();
  const managed = readManagedFields(own);
  return managed === undefined || managed.size === 0 ? of(live) : managed;
}

/** The record after an update (structured-merge-diff `Updater.Update` and the managers around it). */
export function recordUpdate(
  live: KubernetesObject,
  object: KubernetesObject,
  write: FieldWrite & { readonly managed: ManagedFields },
): ManagedFields {
  const entry = ownEntry(write, 'Update');
  const inVersion = pairIn(write, live, object);
  if (inVersion(entry.apiVersion) === undefined) return write.managed;
  const { managed, comparison } = changeOwners({
    managed: write.managed,
    own: '',
    inVersion,
    apiVersion: entry.apiVersion,
    ignored: ignoredFields(write.endpoint),
  });
  const changed = difference(union(comparison.modified, comparison.added), strippedFields);
  const result = new Map<string, Managed>();
  for (const [key, own] of managed) {
    const fields = difference(own.fields, strippedFields);
    if (fields.size > 0) result.set(key, { ...own, fields });
  }
  if (changed.size > 0) {
    const key = managedKey(entry);
    const known = result.get(key);
    result.set(key, { ...entry, fields: known ? union(known.fields, changed) : changed });
  }
  return capManagers(result);
}

/** The fields of a set that an endpoint may own. */
export function ownable(fields: FieldSet, endpoint: Endpoint): FieldSet {
  return difference(recursiveDifference(fields, ignoredFields(endpoint)), strippedFields);
}
