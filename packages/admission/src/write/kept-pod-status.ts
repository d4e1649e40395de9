import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { memberList, memberObject, memberText } from '@kubeadmit/apimachinery';
import { withMember } from './metadata.ts';

/** Fields that a new status without them keeps, because older clients do not know them. */
const keptFields = [
  'qosClass',
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
  'observedGeneration',
] as const;

/**
 * Returns a pod with fields of its old status that the new status leaves out (registry/core/pod
 * `podStatusStrategy.PrepareForUpdate`).
 */
export function withKeptStatus(pod: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const [status, before] = [memberObject(pod, 'status'), memberObject(old, 'status')];
  const kept = keptFields.filter((name) => isUnset(status[name]) && !isUnset(before[name]));
  const conditions = withGenerations(
    memberList(status, 'conditions'),
    memberList(before, 'conditions'),
  );
  return withMember(pod, 'status', {
    ...status,
    ...Object.fromEntries(kept.map((name) => [name, before[name]])),
    ...(conditions.length === 0 ? {} : { conditions }),
  });
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

/** Returns conditions with the old generation of their type if they have none (`preserveOldObservedGeneration`). */
function withGenerations(
  conditions: readonly unknown[],
  before: readonly unknown[],
): readonly unknown[] {
  const left = [...before];
  return conditions.map((condition) => {
    const type = memberText(condition, 'type');
    const place = left.findIndex((each) => memberText(each, 'type') === type);
    const [old] = place < 0 ? [] : left.splice(place, 1);
    const observedGeneration = (old as KubernetesObject | undefined)?.['observedGeneration'];
    const own = condition as KubernetesObject;
    if (isUnset(observedGeneration) || !isUnset(own['observedGeneration'])) return condition;
    return { ...own, observedGeneration };
  });
}
