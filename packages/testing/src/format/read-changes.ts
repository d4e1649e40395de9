import { isRecord, type Path } from '@kubeadmit/manifest';
import type { ObjectChange } from './suite.ts';

/** Reads the changes of a group or case, in this order: set, remove, merge, patch. */
export function readChanges(
  { set, remove, merge, patch }: Readonly<Record<string, unknown>>,
  path: Path,
): readonly ObjectChange[] {
  const changes: ObjectChange[] = [];
  if (isRecord(set)) {
    for (const [field, value] of Object.entries(set)) {
      changes.push({ kind: 'set', field, value, path: [...path, 'set', field] });
    }
  }
  if (Array.isArray(remove)) {
    for (const [index, field] of remove.entries()) {
      changes.push({ kind: 'remove', field: String(field), path: [...path, 'remove', index] });
    }
  }
  if (merge !== undefined) changes.push({ kind: 'merge', value: merge, path: [...path, 'merge'] });
  if (Array.isArray(patch)) {
    changes.push({ kind: 'patch', operations: patch, path: [...path, 'patch'] });
  }
  return changes;
}
