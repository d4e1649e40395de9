import { civilTime } from '@kubeadmit/go/internal';
import type { Instant } from './timestamp-text.ts';

const millisecond = 1_000_000n;
const second = 1_000_000_000n;

/** Prints a duration as Go's `Duration.String`: `1h30m0s`, `1.5ms`, `0s`. */
export function goDurationText(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const left = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (left === 0n) {
    return '0s';
  }
  if (left < second) {
    const [unit, name] =
      left < 1_000n
        ? ([1n, 'ns'] as const)
        : left < millisecond
          ? ([1_000n, 'µs'] as const)
          : ([millisecond, 'ms'] as const);
    return `${sign}${decimal(left, unit)}${name}`;
  }
  const hours = left / (3600n * second);
  const minutes = (left / (60n * second)) % 60n;
  const seconds = `${decimal(left % (60n * second), second)}s`;
  if (hours > 0n) {
    return `${sign}${hours}h${minutes}m${seconds}`;
  }
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

/** `value / unit` as a decimal number; the unit is a power of ten. */
function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(value % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' || digits === 0 ? String(value / unit) : `${value / unit}.${fraction}`;
}

/** Prints an instant as Go's `Time.String`: `2006-01-02 15:04:05.5 +0700 +0700`. */
export function goTimeText({ seconds, nanoseconds, offset }: Instant): string {
  const { year, month, day, hour, minute, second: secondOfMinute } = civilTime(seconds + offset);
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const fraction = String(nanoseconds).padStart(9, '0').replace(/0+$/, '');
  const clock = `${two(hour)}:${two(minute)}:${two(secondOfMinute)}${fraction === '' ? '' : `.${fraction}`}`;
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}${two(minutes % 60)}`;
  return `${date} ${clock} ${zone} ${offset === 0 ? 'UTC' : zone}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
