import { member } from '@kubeadmit/apimachinery';
import type { Chain } from './chain.ts';

type NativePolicy = Chain['cluster']['validatingPolicies' | 'mutatingPolicies'][number];

/** Returns the native policies of a chain that have a binding. */
export function boundPolicies({ cluster, bindings }: Chain): readonly NativePolicy[] {
  const bound = new Set(
    bindings.map(
      (binding) => `${binding['kind']}/${member(member(binding, 'spec'), 'policyName')}`,
    ),
  );
  return [...cluster.validatingPolicies, ...cluster.mutatingPolicies].filter(({ kind, metadata }) =>
    bound.has(`${kind}Binding/${metadata?.name}`),
  );
}
