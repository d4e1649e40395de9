import { unservedVersion } from '@kubeadmit/kyverno/unstable-internal';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** The code of issues about deprecated kinds, of which a run reports only the first. */
export const deprecatedKindCode = 'kyverno-deprecated';

/** The kinds of `policies.kyverno.io` that replace a kind of `kyverno.io`. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['ClusterPolicy', 'ValidatingPolicy, MutatingPolicy, GeneratingPolicy or ImageValidatingPolicy'],
  ['Policy', 'NamespacedValidatingPolicy and the other namespaced policy types'],
  ['ClusterCleanupPolicy', 'DeletingPolicy'],
  ['CleanupPolicy', 'NamespacedDeletingPolicy'],
  ['PolicyException', 'PolicyException'],
]);

const guide = 'https://kyverno.io/docs/guides/migration-to-cel/';

/**
 * Returns the warning about a policy or exception of `kyverno.io`, in a version that Kyverno serves.
 *
 * The text is Kyverno's: https://github.com/kyverno/kyverno/blob/v1.19.1/pkg/deprecations/deprecations.go
 */
export function deprecatedKind(manifest: Manifest): readonly LintIssue[] {
  const { group, kind } = manifest;
  const replacement = group === 'kyverno.io' ? replacements.get(kind) : undefined;
  if (replacement === undefined || unservedVersion(manifest.object) !== undefined) return [];
  const message = `${manifest.apiVersion} ${kind} is deprecated and will be removed in a future release; migrate to ${replacement} (policies.kyverno.io), see ${guide}`;
  return [issueAt(manifest, 'kind', { code: deprecatedKindCode, severity: 'warning', message })];
}
