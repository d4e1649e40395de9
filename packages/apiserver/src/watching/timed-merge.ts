import type { Clock } from '../host/host.ts';
import type { StoreEvent, StoreWatch } from '../store/store.ts';

/** The duration of a watch and the interval of progress events. */
export interface TimedMergeOptions {
  readonly clock: Clock;
  /** Milliseconds between two ticks. */
  readonly interval: number;
  /** When the watch ends, in milliseconds since 1970. */
  readonly end: number;
  readonly onTick: () => void;
  /** Ends the watch and the ticks. */
  readonly abort: AbortController;
}

/** The events of a watch until its time is over, with ticks between them. */
export async function* timedMerge(
  watch: StoreWatch,
  { clock, interval, end, onTick, abort }: TimedMergeOptions,
): AsyncGenerator<StoreEvent, void, undefined> {
  const farewell = 2000;
  const isTold = end - clock.now() > farewell;
  const tick = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      const left = end - clock.now();
      if (left <= 0) break;
      const isLast = left <= interval + farewell;
      const pause = isLast ? Math.max(left - farewell, 0) : interval;
      await clock.sleep(pause, abort.signal);
      if (abort.signal.aborted) return;
      if (isTold) onTick();
      if (!isLast) continue;
      await clock.sleep(Math.max(end - clock.now(), 0), abort.signal);
      break;
    }
    abort.abort();
  };
  const ticking = tick();
  try {
    yield* watch;
  } finally {
    abort.abort();
    await ticking;
  }
}
