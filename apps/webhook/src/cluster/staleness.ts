import type { Check } from './readiness.ts';
import type { WatchState } from './reflector.ts';

/** How long ago the last event of the cluster may be. */
export interface Staleness {
  readonly maxSeconds: number;
  /** Whether the webhook is not ready while all watches are older. */
  readonly fails: boolean;
}

/** The readiness check of watches that have been silent for too long. */
export function stalenessCheck(
  watches: readonly WatchState[],
  { maxSeconds, fails }: Staleness,
): Check {
  const stale = watches.filter(({ ageSeconds }) => ageSeconds > maxSeconds);
  const texts = stale.map(
    ({ resource, ageSeconds }) => `${resource} (${Math.floor(ageSeconds)} s)`,
  );
  return {
    name: 'staleness',
    problem: stale.length === 0 ? '' : `no event for ${maxSeconds} s: ${texts.join(', ')}`,
    isTolerated: !fails || stale.length < watches.length,
  };
}
