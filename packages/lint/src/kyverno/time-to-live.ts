import { timeToLiveLabel, timeToLiveOf } from '@kubeadmit/chain/unstable-internal';
import { timeToLiveProblem } from '@kubeadmit/kyverno/validation';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** Returns the warning about a label `cleanup.kyverno.io/ttl` that Kyverno does not understand, in its words. */
export function timeToLiveIssues(manifest: Manifest): readonly LintIssue[] {
  const value = timeToLiveOf(manifest);
  const message = value === undefined ? undefined : timeToLiveProblem(value);
  if (message === undefined) return [];
  const text = { code: 'cleanup-label', severity: 'warning', message } as const;
  return [issueAt(manifest, ['metadata', 'labels', timeToLiveLabel], text)];
}
