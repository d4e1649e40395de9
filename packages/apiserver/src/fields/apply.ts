import {
  changeOwners,
  difference,
  type FieldSet,
  type FieldWrite,
  ignoredFields,
  intersection,
  type Managed,
  type ManagedFields,
  managedKey,
  noFields,
  ownable,
  ownEntry,
  pairIn,
  readManagedFields,
  recordUpdate,
  recursiveDifference,
  unionOf,
  unrecordedManager,
  withoutRecord,
  withRecord,
} from '@kubeadmit/admission/managed-fields';
import { zeroObject } from '@kubeadmit/admission/writes';
import { formatGroupVersionKind, type KubernetesObject } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { mergeValues, type PatchValue, validateValue, valueErrorsText } from '@kubeadmit/mutator';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import { applyConflict, badRequest, plainFailure } from '../errors/failures.ts';
import { metadataOf } from '../objects/metadata.ts';
import { fieldsOf } from './fields-of.ts';
import { bridgeManager, lastAppliedFields, withLastApplied } from './last-applied.ts';
import { removeFields, withNamedFields } from './remove-fields.ts';

/** A configuration that is applied. */
export interface Application extends FieldWrite {
  /** The stored object; empty for a new one. */
  readonly live: KubernetesObject;
  readonly configuration: KubernetesObject;
  readonly isForced: boolean;
}

/** Merges a configuration into an object, with the record of field managers (managedfields `FieldManager.Apply`). */
export function applyFields(application: Application): KubernetesObject {
  const { live, configuration, endpoint, schemas } = application;
  if (metadataOf(configuration).managedFields != null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const type = mergeType(schemas, endpoint.kind);
  if (type === undefined) {
    throw plainFailure(`no corresponding type for ${formatGroupVersionKind(endpoint.kind)}`);
  }
  checkFits(configuration, type, application);
  const isBridge = application.manager === bridgeManager;
  const liveValue = withoutRecord(live);
  const before = recordOfLive(application);
  const entry = ownEntry(application, 'Apply');
  const key = managedKey(entry);
  const last = before.get(key);
  const set = fieldsOf(configuration, type);
  const ignored = ignoredFields(endpoint);
  const fields = ownable(set, endpoint);
  const merged = mergeValues(
    liveValue as PatchValue as never,
    configuration as PatchValue as never,
    type,
  ) as KubernetesObject;
  const managedNow = new Map(before).set(key, {
    ...entry,
    time: last?.time,
    fields: recursiveDifference(set, ignored),
  });
  const pruned = prune(merged, {
    type,
    last: last?.fields ?? noFields,
    managed: managedNow,
  });
  const { managed, comparison } = changeOwners({
    managed: managedNow,
    own: key,
    inVersion: pairIn(application, liveValue, pruned),
    apiVersion: entry.apiVersion,
    ignored,
    allowed: isBridge ? lastAppliedFields(liveValue, type) : undefined,
    conflict: application.isForced ? undefined : applyConflict,
    shownVersion: endpoint.subresource?.name === 'scale' ? 'autoscaling/v1' : undefined,
  });
  const result = finish(managed, key, fields);
  const isSame =
    comparison.added.size === 0 && comparison.modified.size === 0 && comparison.removed.size === 0;
  const own = result.get(key);
  if (own !== undefined) result.set(key, { ...own, time: isSame ? last?.time : entry.time });
  const applied = isSame ? liveValue : pruned;
  return withRecord(isBridge ? withLastApplied(applied, configuration) : applied, result);
}

function finish(managed: ManagedFields, key: string, fields: FieldSet): Map<string, Managed> {
  const result = new Map<string, Managed>();
  for (const [each, own] of managed) {
    const kept = each === key ? fields : own.fields;
    if (kept.size > 0) result.set(each, { ...own, fields: kept });
  }
  return result;
}

// Returns the stored record; earlier writes without a record belong to a separate manager.
function recordOfLive(application: Application): ManagedFields {
  const { live } = application;
  const managed = readManagedFields(metadataOf(live).managedFields);
  if (managed !== undefined && managed.size > 0) return managed;
  if ((metadataOf(live).uid ?? '') === '') return new Map();
  return recordUpdate(
    zeroObject(application.schemas, application.endpoint.kind),
    withoutRecord(live),
    {
      ...application,
      manager: unrecordedManager,
      managed: new Map(),
    },
  );
}

function checkFits(
  configuration: KubernetesObject,
  type: MergeType,
  application: Application,
): void {
  const errors = validateValue(configuration as PatchValue as never, type, {
    allowDuplicates: false,
  });
  if (errors.length === 0) return;
  const { name = '', namespace = '' } = metadataOf(configuration);
  const where = `${namespace}/${name}; ${formatGroupVersionKind(application.endpoint.kind)}`;
  throw plainFailure(`failed to create typed patch object (${where}): ${valueErrorsText(errors)}`);
}

interface Pruning {
  readonly type: MergeType;
  /** The fields that the manager applied before. */
  readonly last: FieldSet;
  readonly managed: ManagedFields;
}

// Removes the fields that the manager applied before and no longer applies, unless others own them
// (structured-merge-diff `prune`).
function prune(merged: KubernetesObject, { type, last, managed }: Pruning): KubernetesObject {
  if (last.size === 0) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, type);
  const withoutLast = removeFields(merged, named(last), type) ?? {};
  const inMerged = named(fieldsOf(merged, type));
  const owned = unionOf([...managed.values()].map(({ fields }) => fields));
  const gone = difference(inMerged, named(fieldsOf(withoutLast, type)));
  const unowned = difference(gone, named(owned));
  const withOwned = removeFields(merged, unowned, type) ?? {};
  const dangling = intersection(
    difference(inMerged, named(fieldsOf(withOwned, type))),
    named(last),
  );
  const result = removeFields(merged, dangling, type) as KubernetesObject | null;
  return deepEqual(result, merged) ? merged : (result ?? {});
}
