import type { PolicyTrace } from '@kubeadmit/kyverno/traces';

/** Returns the reason why no rule of a policy of Kyverno was evaluated, as a sentence. */
export function keptText(kept: NonNullable<PolicyTrace['kept']>): string {
  switch (kept.type) {
    case 'namespace':
      return `it applies to namespace ${kept.wanted} only, and the object is in ${kept.found || 'no namespace'}`;
    case 'resourceFilters':
      return 'the resourceFilters of the configuration exclude the object';
    case 'excludedUser':
      return 'the configuration excludes the user';
    case 'matchConditions':
      return 'condition' in kept
        ? `the match condition \`${kept.condition}\` of its webhookConfiguration is false`
        : `a match condition of its webhookConfiguration failed, so the policy does not match: ${kept.failure}`;
    case 'webhook':
      return kept.failurePolicy === 'Fail'
        ? 'a match condition of its webhookConfiguration failed, so kube-apiserver rejects the request'
        : 'a match condition of its webhookConfiguration failed, and its failure policy ignores errors';
    default:
      return kept satisfies never;
  }
}
