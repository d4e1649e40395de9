import { deprecatedKindWarning, unservedVersion } from '@kubeadmit/kyverno/validation';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** The code of issues about deprecated kinds, of which a run reports only the first. */
export const deprecatedKindCode = 'kyverno-deprecated';

/** Returns the warning about a policy or exception of `kyverno.io`, in a version that Kyverno serves. */
export function deprecatedKind(manifest: Manifest): readonly LintIssue[] {
  const message = deprecatedKindWarning(manifest.apiVersion, manifest.kind);
  if (message === undefined || unservedVersion(manifest.object) !== undefined) return [];
  return [issueAt(manifest, 'kind', { code: deprecatedKindCode, severity: 'warning', message })];
}
