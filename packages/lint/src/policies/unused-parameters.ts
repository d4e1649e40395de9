import type { PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { PolicyExpression } from '../expressions/policy-expressions.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** A kind of parameters that no expression reads: the policy is evaluated once for each, with the same result. */
export function unusedParameters(
  manifest: Manifest,
  { paramKind }: PolicySpec,
  expressions: readonly PolicyExpression[],
): readonly LintIssue[] {
  if (paramKind == null) return [];
  if (expressions.some(({ text }) => /\bparams\b/.test(text))) return [];
  const message = 'no expression reads `params`, so the parameters have no effect';
  const text = { code: 'unused-parameters', severity: 'warning', message } as const;
  return [issueAt(manifest, 'spec.paramKind', text, 'key')];
}
