import type { PolicySpec } from '@kubeadmit/engine/internal';
import type { Manifest } from '@kubeadmit/manifest';
import { expressionsOf } from '../expressions/policy-expressions.ts';
import { issueAt, type LintIssue } from '../issue.ts';

/** A kind of parameters that no expression reads: the policy is evaluated once for each, with the same result. */
export function unusedParameters(manifest: Manifest, spec: PolicySpec): readonly LintIssue[] {
  if (spec.paramKind == null) return [];
  if (expressionsOf(spec).some(({ text }) => /\bparams\b/.test(text))) return [];
  const message = 'no expression reads `params`, so that the parameters decide nothing';
  const text = { code: 'unused-parameters', severity: 'warning', message } as const;
  return [issueAt(manifest, 'spec.paramKind', text, 'key')];
}
