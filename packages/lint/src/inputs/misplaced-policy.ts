import { closest } from '@kubeadmit/base';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { policyGroup } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';

const kyvernoGroups = ['kyverno.io', 'policies.kyverno.io'] as const;

/**
 * Returns the group that has the kind of a policy whose own group has not, such as `kyverno.io` for `kyvreno.io`;
 * `undefined` for other objects. Nothing evaluates such a policy.
 */
export function groupOfMisplacedPolicy({
  group,
  kind,
}: Pick<Manifest, 'group' | 'kind'>): string | undefined {
  if (/^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(kind)) {
    return group === policyGroup ? undefined : policyGroup;
  }
  if (kyvernoRole({ group, kind }) !== undefined) return undefined;
  // Other projects have kinds of these names, too, so the group must be nearly the same.
  const homes = kyvernoGroups.filter((home) => kyvernoRole({ group: home, kind }) !== undefined);
  return homes.includes(group as (typeof kyvernoGroups)[number])
    ? undefined
    : closest(group, homes);
}
