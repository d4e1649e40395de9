import { defined } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import { isRecord, readDocuments, type Source, stringifyYaml } from '@kubeadmit/manifest';
import type { CaseOutcome } from '../expect/outcome.ts';

/** Outcomes by the names of cases, as a file of snapshots keeps them. */
export type Snapshots = ReadonlyMap<string, unknown>;

/** The name of the file of snapshots of a file of suites. */
export function snapshotFile(file: string): string {
  return file.replace(/\.(ya?ml)$/, '.snap.$1');
}

/** Reads the first document of a snapshot file; a document that is unreadable or not an object has no snapshots. */
export function readSnapshots(source: Source): Snapshots {
  const value = readDocuments(source).documents[0]?.value;
  return new Map(isRecord(value) ? Object.entries(value) : []);
}

/** The text of a file of snapshots, in the order of the names. */
export function writeSnapshots(snapshots: Snapshots): string {
  const sorted = [...snapshots].sort(([a], [b]) => (a < b ? -1 : 1));
  return `# Written by \`kubeadmit test --update\`.\n${stringifyYaml(Object.fromEntries(sorted))}`;
}

/** The whole outcome of a request, in the form of snapshots. */
export function snapshotOf({ passage }: CaseOutcome): Readonly<Record<string, unknown>> {
  const { allowed, failure, status, warnings, auditAnnotations, patch } = passage;
  const hasAnnotations = Object.keys(auditAnnotations).length > 0;
  return defined({
    allowed,
    failure,
    status: status && { code: status.code, reason: status.reason, message: status.message },
    warnings: warnings.length > 0 ? warnings : undefined,
    auditAnnotations: hasAnnotations ? auditAnnotations : undefined,
    patch: patch.length > 0 ? patch : undefined,
  });
}

/** Whether two snapshots say the same. */
export function isSameSnapshot(left: unknown, right: unknown): boolean {
  return stringifyJson(sorted(left)) === stringifyJson(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]),
  );
}
