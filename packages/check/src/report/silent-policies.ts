import type { Chain, Finding } from '@kubeadmit/chain';
import type { PolicyTrace } from '@kubeadmit/kyverno/traces';
import { keptText } from './kept-text.ts';

/**
 * Whether policies of Kyverno may select an object and have no result for it: rules about images of other names, rules
 * that change existing objects, and match conditions that are false.
 */
export function hasSilentPolicies({ kyverno }: Chain): boolean {
  const { classic = [], cel = [] } = kyverno?.policies ?? {};
  return (
    classic.some(
      ({ policy }) => policy.hasImages || policy.hasTargets || policy.matchConditions !== undefined,
    ) || cel.some(({ policy: { type } }) => type === 'ImageVerify' || type === 'Generation')
  );
}

/** Returns the names of Kyverno's policies that act in the background, because of admitted objects alone. */
export function backgroundPolicies({ kyverno }: Chain): readonly string[] {
  const { classic = [], cel = [], cleanup = [] } = kyverno?.policies ?? {};
  return [
    ...classic.filter(({ policy }) => policy.hasGenerate || policy.hasTargets),
    ...cel.filter(({ policy }) => policy.type === 'Generation' || policy.type === 'Deletion'),
    ...cleanup,
  ].map(({ policy }) => policy.name);
}

/** Returns a finding for each traced policy that selects the object, as if it had no other. */
export function silentFindings(traces: readonly PolicyTrace[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { policy, kept, rules, specs } of traces) {
    if (kept?.selects === true && kept.type === 'matchConditions') {
      found.set(policy, { policy, verdict: 'skip', message: keptText(kept) });
    }
    const isSelected =
      rules.some(({ match }) => match.concerns) ||
      specs.some(({ match, elsewhere }) => elsewhere === undefined && match?.outcome === 'match');
    if (isSelected && !found.has(policy)) found.set(policy, silentFinding(policy));
  }
  return [...found.values()];
}

/** Returns the finding of a policy that selects an object and has no result for it. */
function silentFinding(policy: string): Finding {
  const message = 'the policy matches the object and has nothing to report';
  return { policy, verdict: 'allow', message };
}
