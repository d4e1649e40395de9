import { formatRfc3339, isZeroTime, parseRfc3339, parseTime, type TimeError } from '@kubeadmit/go';

/** The layouts of Go that Kubernetes reads times with. */
const layouts = {
  time: '2006-01-02T15:04:05Z07:00',
  microtime: '2006-01-02T15:04:05.000000Z07:00',
  date: '2006-01-02',
  localTime: '2006-01-02T15:04:05',
} as const;

/**
 * The canonical text of a time (`metav1.Time`: seconds in UTC; `metav1.MicroTime`: microseconds in UTC), read as
 * Go's `time.Parse` reads RFC 3339; null for the zero time.
 */
export function canonicalTime(text: string, kind: 'time' | 'microtime'): string | null | TimeError {
  const plain = kind === 'time' ? parseRfc3339(text) : undefined;
  const time = plain ?? parseTime(layouts[kind], text);
  if ('error' in time) return time;
  if (isZeroTime(time)) return null;
  return formatRfc3339({ ...time, offset: 0 }, { decimals: kind === 'time' ? 0 : 6 });
}

/** Returns the error of Go's `time.Parse` for a string that does not match a layout, or `undefined`. */
export function timeProblem(text: string, kind: keyof typeof layouts): string | undefined {
  const time = parseTime(layouts[kind], text);
  return 'error' in time ? time.error : undefined;
}
