import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { type ActingStatus, actingStatus } from '@kubeadmit/chain/unstable-internal';
import type { Generation } from '../policies/generation.ts';
import { policyPath } from '../policies/policy-groups.ts';

/** The status that a Kyverno policy of the cluster should have, without its conditions. */
export interface WantedStatus extends ActingStatus {
  /** The path of the policy. */
  readonly path: string;
  readonly uid: string;
  /** `metadata.generation` of the policy that it is for. */
  readonly generation: number;
  /** Whether the policy is in use with all of its rules. */
  readonly isInUse: boolean;
  /** The status that the policy has in the watched cluster. */
  readonly current: unknown;
}

/** Returns the wanted status of each Kyverno policy that is stored in the cluster. */
export function wantedStatuses(
  { chain, givenObjects, clusterObjects }: Generation,
  hasBackground: boolean,
): readonly WantedStatus[] {
  const used = new Set(clusterObjects.values());
  const { kyverno } = chain;
  const problems = [
    ...(kyverno?.diagnostics.problems(() => true) ?? []),
    ...(hasBackground ? [] : (kyverno?.diagnostics.backgroundProblems ?? [])),
  ];
  const impaired = new Set(problems.map(({ object }) => object));
  return givenObjects.flatMap((object) => {
    const acting = actingStatus(object);
    const path = acting && policyPath(object);
    if (acting === undefined || path === undefined) return [];
    const isInUse = used.has(object) && !impaired.has(object);
    return [{ ...acting, path, ...identityOf(object), isInUse, current: object['status'] }];
  });
}

function identityOf(object: KubernetesObject): Pick<WantedStatus, 'uid' | 'generation'> {
  const { generation } = (object['metadata'] ?? {}) as { readonly generation?: unknown };
  return { uid: metadataString(object, 'uid'), generation: Number(generation ?? 0) };
}
