import { parseDuration } from '@kubeadmit/go';

// kube-apiserver's default for configurations without a timeout, and its maximum.
const defaultSeconds = 10;
const mostSeconds = 30;
const nanosecondsInMillisecond = 1_000_000n;

/**
 * The milliseconds within which a review has to be answered, by the `timeout` that kube-apiserver puts into
 * the URL; some of that time is left for the way back.
 */
export function answerMilliseconds(timeout: string | undefined): number {
  const given = millisecondsOf(timeout ?? '0');
  const whole = given > 0 ? Math.min(given, mostSeconds * 1000) : defaultSeconds * 1000;
  return whole - Math.min(500, whole * 0.2);
}

/** Waits until a time of `performance.now()`; does not keep the process alive. */
export function untilTime(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time - performance.now()).unref());
}

function millisecondsOf(duration: string): number {
  // As kube-apiserver writes it.
  if (/^\d{1,4}s$/.test(duration)) return Number.parseInt(duration, 10) * 1000;
  const nanoseconds = parseDuration(duration);
  return typeof nanoseconds === 'bigint' ? Number(nanoseconds / nanosecondsInMillisecond) : 0;
}
