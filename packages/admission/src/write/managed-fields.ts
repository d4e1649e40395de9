import { compareText } from '@kubeadmit/go';
import { type FieldSet, readFieldSet, unionOf, writeFieldSet } from './field-set.ts';
import type { FieldsEntry } from './metadata.ts';
import { PathElementError } from './path-element.ts';

/** The fields that one manager set. */
export interface Managed {
  /** The name of the manager. */
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  /** The version in which the fields are named. */
  readonly apiVersion: string;
  /** The subresource that was written; empty for the resource itself. */
  readonly subresource: string;
  /** The time of the last change in RFC 3339. */
  readonly time: string | undefined;
  /** The fields that it owns. */
  readonly fields: FieldSet;
}

/** The managers of fields, by {@link managedKey}. */
export type ManagedFields = ReadonlyMap<string, Managed>;

/** Returns the key that identifies an entry; applies in all versions share one entry (`BuildManagerIdentifier`). */
export function managedKey({
  manager,
  operation,
  apiVersion,
  subresource,
}: Pick<Managed, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Reads the entries of an object; undefined where one of them cannot be read. */
export function readManagedFields(
  entries: readonly FieldsEntry[] | null | undefined,
): ManagedFields | undefined {
  try {
    return readEntries(entries ?? []);
  } catch (failure) {
    if (failure instanceof PathElementError) return undefined;
    throw failure;
  }
}

function readEntries(entries: readonly FieldsEntry[]): ManagedFields | undefined {
  const managed = new Map<string, Managed>();
  for (const entry of entries) {
    const { operation = '', apiVersion = '', fieldsType = '', fieldsV1 } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || apiVersion === '') return undefined;
    if (fieldsType !== 'FieldsV1') return undefined;
    const own: Managed = {
      manager: entry.manager ?? '',
      operation,
      apiVersion,
      subresource: entry.subresource ?? '',
      time: entry.time,
      fields: readFieldSet(fieldsV1 ?? {}),
    };
    managed.set(managedKey(own), own);
  }
  return managed;
}

/** Whether entries ask for the record to be forgotten: `[]` or `[{}]`. */
export function isReset(entries: readonly FieldsEntry[] | null | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  return (
    entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0)
  );
}

/** Writes entries in their order: appliers first, then by time and name (`sortEncodedManagedFields`). */
export function writeManagedFields(managed: ManagedFields): readonly FieldsEntry[] {
  return [...managed.values()].sort(byOrder).map((own) => ({
    manager: own.manager,
    operation: own.operation,
    apiVersion: own.apiVersion,
    ...(own.time === undefined ? {} : { time: own.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: writeFieldSet(own.fields),
    ...(own.subresource === '' ? {} : { subresource: own.subresource }),
  }));
}

function byOrder(a: Managed, b: Managed): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

const mostUpdaters = 10;
const ancientManager = 'ancient-changes';

/** Joins the oldest entries of updates where there are too many (`capManagersManager`). */
export function capManagers(managed: ManagedFields): ManagedFields {
  const updaters = [...managed.values()]
    .filter(({ operation }) => operation === 'Update')
    .sort(byOrder);
  if (updaters.length <= mostUpdaters) return managed;
  const result = new Map(managed);
  const joined = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const own of updaters) {
    if (count <= mostUpdaters) break;
    if (own.manager === ancientManager) continue;
    const bucket = { ...own, manager: ancientManager, subresource: '' };
    const key = managedKey(bucket);
    const known = result.get(key);
    const sets = joined.get(key) ?? (known === undefined ? [] : [known.fields]);
    if (sets.length > 0) count--;
    joined.set(key, sets);
    sets.push(own.fields);
    result.delete(managedKey(own));
    result.set(key, bucket);
  }
  for (const [key, sets] of joined) {
    result.set(key, { ...(result.get(key) as Managed), fields: unionOf(sets) });
  }
  return result;
}
