import type { Snapshot } from './snapshot.ts';

/**
 * Returns the snapshots that bring a new process to the state of one that has loaded `snapshot`.
 *
 * Cluster objects may be in use in a version that is several sets old.
 *
 * @param asBefore the names of the cluster objects that are not used in their current version
 * @param previous the result for the previous set
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
