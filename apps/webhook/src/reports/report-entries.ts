import type { Finding } from '@kubeadmit/chain';
import { type PolicyReportResult, policyReportResult } from '@kubeadmit/chain/findings';

/** A result with the time at which it was found, as in reports. */
export interface ReportEntry extends PolicyReportResult {
  readonly timestamp: { readonly seconds: number; readonly nanos: number };
  readonly category?: string;
  readonly severity?: string;
}

// If one failure has several results, one for each action of its binding, the worst one counts.
const severity: readonly PolicyReportResult['result'][] = ['error', 'fail', 'warn', 'pass', 'skip'];

/** Returns the findings about an object as entries of a report; `now` is in milliseconds since 1970. */
export function reportEntries(findings: readonly Finding[], now: number): readonly ReportEntry[] {
  const seconds = Math.floor(now / 1000);
  const timestamp = { seconds, nanos: (Math.floor(now) - seconds * 1000) * 1_000_000 };
  const entries = new Map<string, ReportEntry>();
  for (const finding of findings) {
    if (finding.verdict === 'mutate') continue;
    const result = policyReportResult(finding);
    const { policy, rule, message, properties } = result;
    const key = JSON.stringify([policy, rule, message, properties]);
    const before = entries.get(key);
    if (before === undefined || isWorse(result, before)) entries.set(key, { ...result, timestamp });
  }
  return [...entries.values()];
}

/** Whether an entry reports a problem. */
export function isProblem({ result }: ReportEntry): boolean {
  return result === 'fail' || result === 'warn' || result === 'error';
}

/** Entries of which those that were there before keep their time. */
export function sinceBefore(
  entries: readonly ReportEntry[],
  before: readonly ReportEntry[],
): readonly ReportEntry[] {
  const known = new Map(before.map((entry) => [textOf(entry), entry]));
  return entries.map((entry) => known.get(textOf(entry)) ?? entry);
}

/** Returns the entries without their times, as one string for comparison. */
export function entriesText(entries: readonly ReportEntry[]): string {
  return entries.map(textOf).join('\n');
}

function isWorse(a: PolicyReportResult, b: PolicyReportResult): boolean {
  return severity.indexOf(a.result) < severity.indexOf(b.result);
}

function textOf({ timestamp: _, properties = {}, ...entry }: ReportEntry): string {
  const { source, policy, rule, result, message, scored, category, severity } = entry;
  const sorted = Object.keys(properties)
    .sort()
    .map((name) => [name, properties[name]]);
  return JSON.stringify([
    ...[source, policy, rule, result, message, scored, category, severity],
    sorted,
  ]);
}
