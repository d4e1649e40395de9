import type { LoadReport } from './policy-store.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * The snapshots that bring a new process to the set of policies in use: this set and, if it differs, the last one.
 */
export class SnapshotRecord {
  #snapshots: readonly Snapshot[] = [];

  /** The snapshots, in the order in which a process has to load them. */
  get snapshots(): readonly Snapshot[] {
    return this.#snapshots;
  }

  /** Records a snapshot that was loaded. */
  loaded(snapshot: Snapshot, { isRefused, asBefore }: Pick<LoadReport, 'isRefused' | 'asBefore'>) {
    if (!isRefused) this.#snapshots = snapshotsTo(snapshot, asBefore, this.#snapshots);
  }

  /** Records a snapshot that no process received; the next one loads it. */
  missed(snapshot: Snapshot): void {
    this.#snapshots = [...this.#snapshots.slice(0, 1), snapshot];
  }
}

// Cluster objects may be in use in a version that is several sets old: `asBefore` names them.
function snapshotsTo(
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
