import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { memberList, memberObject, memberText } from '@kubeadmit/apimachinery';
import { withMember } from './metadata.ts';

/** Fields that a new status without them keeps, because older clients do not know them, and the first minor version. */
const keptFields: Readonly<Record<string, number>> = {
  qosClass: 32,
  observedGeneration: 33,
  resourceClaimStatuses: 37,
  extendedResourceClaimStatus: 37,
  nodeAllocatableResourceClaimStatuses: 37,
};

/**
 * Returns a pod with fields of its old status that the new status leaves out (registry/core/pod
 * `podStatusStrategy.PrepareForUpdate`).
 */
export function withKeptStatus(
  pod: KubernetesObject,
  old: KubernetesObject,
  minor: number,
): KubernetesObject {
  const [status, before] = [memberObject(pod, 'status'), memberObject(old, 'status')];
  const kept = Object.entries(keptFields)
    .filter(([name, since]) => minor >= since && isUnset(status[name]) && !isUnset(before[name]))
    .map(([name]) => name);
  const own = memberList(status, 'conditions');
  const conditions =
    minor < generationsSince ? own : withGenerations(own, memberList(before, 'conditions'));
  return withMember(pod, 'status', {
    ...status,
    ...Object.fromEntries(kept.map((name) => [name, before[name]])),
    ...(conditions.length === 0 ? {} : { conditions }),
  });
}

/** The first minor version in which conditions keep their generations. */
const generationsSince = 33;

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
