import { parseDuration, parseTime } from '@kubeadmit/go';

const units =
  /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;

/**
 * Returns the problem with a value of the label `cleanup.kyverno.io/ttl` in the words of Kyverno's webhook
 * (`pkg/validation/resource`), or `undefined` for a valid value: a duration such as `2m` or `1d`, a date, or a time such
 * as `2026-01-31T150405Z`.
 */
export function timeToLiveProblem(value: string): string | undefined {
  if (isDuration(value) || !('error' in parseTime('2006-01-02T150405Z', value))) return undefined;
  const date = parseTime('2006-01-02', value);
  if (!('error' in date)) return undefined;
  return `cleanup.kyverno.io/ttl label value cannot be parsed as any recognizable format (${date.error})`;
}

/**
 * Returns the time of an object's deletion in milliseconds since 1970 by its label `cleanup.kyverno.io/ttl`, or
 * `undefined` for an invalid value.
 *
 * @param created the time of the object's creation in milliseconds since 1970
 */
export function deletionTime(value: string, created: number): number | undefined {
  const duration = parseDuration(value);
  if (typeof duration === 'bigint') return created + Number(duration / 1_000_000n);
  if (isDuration(value)) return created + unitsDuration(value);
  for (const layout of ['2006-01-02T150405Z', '2006-01-02']) {
    const time = parseTime(layout, value);
    if (!('error' in time)) return Number(time.seconds) * 1_000;
  }
  return undefined;
}

const unitMilliseconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:ns|nano.*)$/i, 1e-6],
  [/^(?:us|µs|micro.*)$/i, 1e-3],
  [/^(?:ms|milli.*)$/i, 1],
  [/^(?:s|sec.*)$/i, 1_000],
  [/^(?:m|min.*)$/i, 60_000],
  [/^(?:h|hr|hour.*)$/i, 3_600_000],
  [/^(?:d|day.*)$/i, 86_400_000],
  [/^(?:w|wk|week.*)$/i, 604_800_000],
];

/** The sum of all numbers with a known unit. */
function unitsDuration(text: string): number {
  let sum = 0;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const known = unitMilliseconds.find(([pattern]) => pattern.test(unit));
    sum += Number(count) * (known?.[1] ?? 0);
  }
  return sum;
}

/** Whether a text is a duration of Go or has a number with a unit (`strfmt.ParseDuration`). */
function isDuration(text: string): boolean {
  if (typeof parseDuration(text) === 'bigint') return true;
  const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
  return (
    parts.every(([, count = '']) => BigInt(count) < 2n ** 63n) &&
    parts.some(([, , unit = '']) => units.test(unit))
  );
}
