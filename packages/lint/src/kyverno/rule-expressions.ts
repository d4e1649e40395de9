import { formatFieldPath } from '@kubeadmit/apimachinery/field-errors';
import { kyvernoRole, policyJson } from '@kubeadmit/chain/kyverno';
import { ruleExpressionProblems } from '@kubeadmit/kyverno/validation';
import type { Manifest } from '@kubeadmit/manifest';
import { expressionProblems } from '../inputs/refusal-problems.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';

const prefix = /^compilation failed: /;

/** Returns the CEL expressions in rules that do not compile: Kyverno reports them when a request meets the rule. */
export function brokenExpressions(manifest: Manifest): readonly LintIssue[] {
  if (kyvernoRole(manifest) !== 'classic') return [];
  const text = { code: 'kyverno-expression', severity: 'error' } as const;
  return ruleExpressionProblems(policyJson(manifest.object)).flatMap(({ path, message }) => {
    const field = formatFieldPath(path);
    const found = expressionProblems(manifest, { field, path }, message.replace(prefix, ''));
    if (found.length > 0) return found.map((each) => ({ ...each, ...text, refused: false }));
    return [issueAt(manifest, path, { ...text, message: `${field}: ${message}` })];
  });
}
