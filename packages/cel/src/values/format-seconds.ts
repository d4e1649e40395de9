import { durationSeconds, formatFloat64Plain } from '@kubeadmit/go';

/** Prints a duration as CEL's `string()`: seconds as a plain decimal number and `s`. */
export function formatSeconds(nanoseconds: bigint): string {
  return `${formatFloat64Plain(durationSeconds(nanoseconds))}s`;
}
