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
 * Returns Kyverno's warning about a deprecated kind; `undefined` for other kinds.
 *
 * The text is Kyverno's: https://github.com/kyverno/kyverno/blob/v1.19.1/pkg/deprecations/deprecations.go
 */
export function deprecatedKindWarning(apiVersion: string, kind: string): string | undefined {
  const replacement = apiVersion.startsWith('kyverno.io/') ? replacements.get(kind) : undefined;
  return replacement === undefined
    ? undefined
    : `${apiVersion} ${kind} is deprecated and will be removed in a future release; migrate to ${replacement} (policies.kyverno.io), see ${guide}`;
}
