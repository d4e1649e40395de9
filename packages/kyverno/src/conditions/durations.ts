import { truncateToInt64 } from '@kubeadmit/go/internal';
import { looksLikeDuration, parseDuration, toSeconds, wrapDuration } from '../values/duration.ts';

/** The nanoseconds of a number of seconds, its fraction dropped; undefined for what is no number. */
function secondsToDuration(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return wrapDuration(value * 1_000_000_000n);
  return typeof value === 'number'
    ? wrapDuration(truncateToInt64(value) * 1_000_000_000n)
    : undefined;
}

function durationText(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || value === '0' || !looksLikeDuration(value)) return undefined;
  return parseDuration(value);
}

/**
 * The seconds of a key and a value that can be compared as durations: at least one is the text of a duration
 * other than `0`, and the other one too or a number of seconds.
 */
export function durationPair(key: unknown, value: unknown): readonly [number, number] | undefined {
  const keyText = durationText(key);
  const valueText = durationText(value);
  if (keyText === undefined && valueText === undefined) return undefined;
  const left = keyText ?? secondsToDuration(key);
  const right = valueText ?? secondsToDuration(value);
  return left === undefined || right === undefined
    ? undefined
    : [toSeconds(left), toSeconds(right)];
}

/** A duration of the `Duration…` operators: its text, or a number of seconds. */
export function durationOperand(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseDuration(value) : secondsToDuration(value);
}
