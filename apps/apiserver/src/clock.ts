import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@kubeadmit/apiserver';

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, { signal }).catch(() => undefined),
};
