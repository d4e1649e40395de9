import { durationSeconds, parseDuration, truncateToInt64 } from '@kubeadmit/go';

/** The nanoseconds that the text of a duration such as `1h30m` means; undefined for every other text. */
export function durationOf(text: string): bigint | undefined {
  if (!looksLikeDuration(text)) return undefined;
  const duration = parseDuration(text);
  return typeof duration === 'bigint' ? duration : undefined;
}

/** Whether a text can be a duration at all, which most texts cannot by their last character. */
function looksLikeDuration(text: string): boolean {
  const last = text.charAt(text.length - 1);
  return last === 's' || last === 'm' || last === 'h' || /^[+-]?0$/.test(text);
}

/** Converts seconds to nanoseconds, dropping fractions; `undefined` if the value is not a number. */
function secondsToDuration(value: unknown): bigint | undefined {
  const seconds = typeof value === 'number' ? truncateToInt64(value) : value;
  return typeof seconds === 'bigint' ? BigInt.asIntN(64, seconds * 1_000_000_000n) : undefined;
}

function formatSeconds(value: unknown): bigint | undefined {
  return typeof value !== 'string' || value === '0' ? undefined : durationOf(value);
}

/**
 * The seconds of a key and a value that can be compared as durations: at least one is the text of a duration
 * other than `0`, and the other one too or a number of seconds.
 */
export function durationPair(key: unknown, value: unknown): readonly [number, number] | undefined {
  const keyText = formatSeconds(key);
  const valueText = formatSeconds(value);
  if (keyText === undefined && valueText === undefined) return undefined;
  const left = keyText ?? secondsToDuration(key);
  const right = valueText ?? secondsToDuration(value);
  return left === undefined || right === undefined
    ? undefined
    : [durationSeconds(left), durationSeconds(right)];
}

/** A duration of the `Duration…` operators: its text, or a number of seconds. */
export function durationOperand(value: unknown): bigint | undefined {
  return typeof value === 'string' ? durationOf(value) : secondsToDuration(value);
}
