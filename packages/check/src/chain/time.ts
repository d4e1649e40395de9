import { timeOn } from '@kubeadmit/base';

/** The time of a clock that gives milliseconds since 1970, as objects have it. */
export function timeOf(clock: () => number): string {
  return new Date(timeOn(clock)).toISOString().replace(/\.\d+Z$/, 'Z');
}
