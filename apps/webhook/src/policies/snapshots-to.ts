import type { Snapshot } from './snapshot.ts';

/**
 * The snapshots after which a process that has none acts as those do that have taken `snapshot`: objects of a cluster
 * may act as they were several sets ago.
 *
 * @param asBefore the objects of the cluster that do not act as they are, by the names of their texts
 * @param previous what this gave for the set before
 */
export function snapshotsTo(
  snapshot: Snapshot,
  asBefore: readonly string[],
  previous: readonly Snapshot[],
): readonly Snapshot[] {
  if (asBefore.length === 0) return [snapshot];
  const wrong = new Set(asBefore);
  const right = snapshot.clusterObjects?.filter(({ name }) => !wrong.has(name)) ?? [];
  const before = previous[0]?.clusterObjects?.filter(({ name }) => wrong.has(name)) ?? [];
  return [{ ...snapshot, clusterObjects: [...right, ...before] }, snapshot];
}
