import type { Machinery } from '../machinery.ts';

const patience = 3000;
const step = 50;

/** Waits up to three seconds for a revision, and gives the one that is there then (apiserver cacher `waitUntilFreshAndBlock`). */
export async function awaitRevision(
  { registry, options: { clock } }: Machinery,
  wanted: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const end = clock.now() + patience;
  for (;;) {
    const current = await registry.store.revision();
    if (current >= wanted || clock.now() >= end || signal?.aborted) return current;
    await clock.sleep(step, signal);
  }
}
