import type { Generation } from '../policies/generation.ts';
import type { ReviewDecision } from '../review/decide-review.ts';
import { kyvernoEntries } from './kyverno-entries.ts';
import { type ReportEntry, reportEntries } from './report-entries.ts';

/** A decision as reports need it. */
export type ReportedDecision = Pick<ReviewDecision, 'findings' | 'nativeFindings' | 'responses'>;

/** Returns the entries of a report about a decision; with `asKyverno`, those of Kyverno's policies in its own form. */
export function decisionEntries(
  decision: ReportedDecision,
  generation: Generation,
  { asKyverno, now }: { readonly asKyverno: boolean; readonly now: number },
): readonly ReportEntry[] {
  if (!asKyverno) return reportEntries(decision.findings(), now);
  return [
    ...reportEntries(decision.nativeFindings(), now),
    ...kyvernoEntries(decision.responses, generation, now),
  ];
}
