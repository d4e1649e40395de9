import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { groupBy } from '@kubeadmit/base';
import type { Chain } from './chain.ts';

/** A native policy that has bindings. */
export interface BoundPolicy {
  readonly policy: Chain['cluster']['validatingPolicies' | 'mutatingPolicies'][number];
  readonly bindings: readonly KubernetesObject[];
}

/** Returns the native policies of a chain that have bindings. */
export function boundPolicies({ cluster, bindings }: Chain): readonly BoundPolicy[] {
  const byPolicy = groupBy(
    bindings,
    (binding) => `${binding['kind']}/${member(member(binding, 'spec'), 'policyName')}`,
  );
  return [...cluster.validatingPolicies, ...cluster.mutatingPolicies].flatMap((policy) => {
    const found = byPolicy.get(`${policy.kind}Binding/${policy.metadata?.name}`);
    return found === undefined ? [] : [{ policy, bindings: found }];
  });
}
