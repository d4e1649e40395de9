import { parseTime } from '@kubeadmit/go';
import { parseDuration } from '@kubeadmit/go/internal';

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

/** Whether a text is a duration of Go or has a number with a unit (`strfmt.ParseDuration`). */
function isDuration(text: string): boolean {
  if (typeof parseDuration(text) === 'bigint') return true;
  const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
  return (
    parts.every(([, count = '']) => BigInt(count) < 2n ** 63n) &&
    parts.some(([, , unit = '']) => units.test(unit))
  );
}
