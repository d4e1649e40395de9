import type { Resource } from '@kubeadmit/schemas';

/** What clients of versions that will go are warned about (apiserver deprecation.WarningMessage). */
export function deprecationOf({ group, version, kind }: Resource): string | undefined {
  if (group !== 'admissionregistration.k8s.io' || !kind.startsWith('Mutating')) return undefined;
  const named = `${group}/${version} ${kind} is deprecated`;
  if (version === 'v1beta1') {
    return `${named} in v1.37+, unavailable in v1.40+; use ${group}/v1 ${kind}`;
  }
  return version === 'v1alpha1' ? `${named} in v1.35+, unavailable in v1.38+` : undefined;
}
