import { quote } from '@kubeadmit/go';
import { plainFailure, versionTooLarge } from '../errors/failures.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { versionProblem } from '../objects/metadata.ts';

const patience = 3000;
const step = 50;

/** Returns the revision of a `resourceVersion`, 0 if absent, or throws the 500 of an invalid one. */
export function revisionOf(version: string): number {
  const why = version === '' ? undefined : versionProblem(version);
  if (why === undefined) return Number(version);
  throw plainFailure(`resourceVersion: Invalid value: ${quote(version)}: ${why}`);
}

/** Waits up to three seconds for a revision, or throws the 504 of one that is still ahead (apiserver cacher `waitUntilFreshAndBlock`). */
export async function awaitRevision(
  { registry, options: { clock } }: Machinery,
  wanted: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (wanted === 0) return;
  const end = clock.now() + patience;
  for (;;) {
    const current = await registry.store.revision();
    if (current >= wanted) return;
    if (clock.now() >= end || signal?.aborted) throw versionTooLarge(wanted, current);
    await clock.sleep(step, signal);
  }
}
