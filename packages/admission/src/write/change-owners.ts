import { getOrMake, groupBy } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { type Comparison, compareValues } from './compare.ts';
import {
  difference,
  type FieldSet,
  intersection,
  noFields,
  pathsOf,
  pathText,
  recursiveDifference,
  union,
} from './field-set.ts';
import type { Managed, ManagedFields } from './managed-fields.ts';

/** Two states of an object in one version. */
export interface VersionedPair {
  readonly before: unknown;
  readonly after: unknown;
  readonly type: MergeType;
}

/** A change of an object and whose it is. */
export interface OwnerChange {
  readonly managed: ManagedFields;
  /** The key of the entry that the change is made for; it is left alone. */
  readonly own: string;
  /** The states in a version; undefined for one that is not served any more. */
  readonly inVersion: (apiVersion: string) => VersionedPair | undefined;
  readonly apiVersion: string;
  /** Fields that this endpoint does not change. */
  readonly ignored: FieldSet;
  /** Fields that are taken from others without asking, even where others are not. */
  readonly allowed?: FieldSet | undefined;
  /** Makes the error of a conflict; absent where fields of others are taken without asking. */
  readonly conflict?: ((causes: readonly ConflictCause[], message: string) => Error) | undefined;
  /** The version in the text of a conflict (default: that of each entry). */
  readonly shownVersion?: string | undefined;
}

/** A field of a conflict and who owns it (`StatusCause`). */
export interface ConflictCause {
  readonly message: string;
  readonly field: string;
}

/**
 * Takes the changed fields from the entries of others, or throws the conflict (structured-merge-diff
 * `Updater.update`).
 */
export function changeOwners(change: OwnerChange): {
  readonly managed: ManagedFields;
  readonly comparison: Comparison;
} {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareIn(change, apiVersion));
    return comparisons.get(apiVersion);
  };
  const changed = new Map<Comparison, FieldSet>();
  const changedIn = (comparison: Comparison): FieldSet =>
    getOrMake(changed, comparison, () => union(comparison.modified, comparison.added));
  const conflicts: { readonly entry: Managed; readonly fields: FieldSet }[] = [];
  const result = new Map<string, Managed>();
  for (const [key, entry] of change.managed) {
    if (key === change.own) {
      result.set(key, entry);
      continue;
    }
    const comparison = comparisonIn(entry.apiVersion);
    if (comparison === undefined) continue;
    const taken = intersection(entry.fields, changedIn(comparison));
    if (taken.size > 0) conflicts.push({ entry, fields: taken });
    const fields = difference(difference(entry.fields, taken), comparison.removed);
    if (fields.size > 0) result.set(key, { ...entry, fields });
  }
  const refused = conflicts
    .map(({ entry, fields }) => ({ entry, fields: difference(fields, change.allowed ?? noFields) }))
    .filter(({ fields }) => fields.size > 0);
  const { conflict } = change;
  if (conflict !== undefined && refused.length > 0) {
    throw conflictError(refused, conflict, change.shownVersion);
  }
  const comparison = comparisonIn(change.apiVersion);
  if (comparison === undefined) throw new Error('cannot compare an object with its own version');
  return { managed: result, comparison };
}

function compareIn(change: OwnerChange, apiVersion: string): Comparison | undefined {
  const pair = change.inVersion(apiVersion);
  if (pair === undefined) return undefined;
  const { added, modified, removed } = compareValues(pair.before, pair.after, pair.type);
  return {
    added: recursiveDifference(added, change.ignored),
    modified: recursiveDifference(modified, change.ignored),
    removed: recursiveDifference(removed, change.ignored),
  };
}

/** The manager of fields that were set before managed fields were recorded. */
export const unrecordedManager = 'before-first-apply';

// managedfields/internal/conflict.go
function conflictError(
  conflicts: readonly { readonly entry: Managed; readonly fields: FieldSet }[],
  makeError: NonNullable<OwnerChange['conflict']>,
  shownVersion: string | undefined,
): Error {
  const causes = conflicts
    .flatMap(({ entry, fields }) =>
      pathsOf(fields).map((path) => ({ name: nameOf(entry, shownVersion), field: pathText(path) })),
    )
    .sort((a, b) => compareText(a.name, b.name));
  const [first] = causes;
  const details = causes.map(({ name, field }) => ({ message: `conflict with ${name}`, field }));
  if (causes.length === 1 && first !== undefined) {
    const message = `Apply failed with 1 conflict: conflict with ${first.name}: ${first.field}`;
    return makeError(details, message);
  }
  const lines: string[] = [];
  for (const [name, own] of groupBy(causes, (cause) => cause.name)) {
    lines.push(`conflicts with ${name}:`);
    for (const { field } of own) lines.push(`- ${field}`);
  }
  return makeError(details, `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`);
}

function nameOf(
  { manager, operation, apiVersion, subresource }: Managed,
  shownVersion = apiVersion,
): string {
  const where = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === 'Update' ? ` using ${shownVersion}` : '';
  return `${JSON.stringify(manager)}${where}${using}`;
}
