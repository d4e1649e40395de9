/** A time of the API as seconds since 1970 and the nanoseconds after them. */
export function secondsAndNanos(text: string): {
  readonly seconds: number;
  readonly nanos: number;
} {
  const [, whole = '', fraction = ''] = /^(.*?)(?:\.([0-9]+))?Z$/.exec(text) ?? [];
  return {
    seconds: Date.parse(`${whole}Z`) / 1000,
    nanos: Number(fraction.padEnd(9, '0').slice(0, 9)),
  };
}

/** The text of a time in the API; times with microseconds always write six digits. */
export function timeText(seconds: number, nanos: number, kind: 'time' | 'microtime'): string {
  const date = new Date(seconds * 1000);
  const whole = Number.isNaN(date.getTime())
    ? '0001-01-01T00:00:00'
    : date
        .toISOString()
        .slice(0, -5)
        .replace(/^([+-])0*(\d{4,}-)/, yearText);
  const micros = String(Math.trunc(nanos / 1000)).padStart(6, '0');
  return kind === 'time' ? `${whole}Z` : `${whole}.${micros}Z`;
}

/** A year beyond four digits, or before the year 0, as Go writes it. */
function yearText(_: string, sign: string, year: string): string {
  return sign === '+' ? year : `-${year}`;
}
