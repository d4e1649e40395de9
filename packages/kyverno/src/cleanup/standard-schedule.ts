import { parseDuration } from '@kubeadmit/go';

/** The least and the greatest value of a field, and names of values from the least on. */
interface Bounds {
  readonly least: number;
  readonly greatest: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Bounds[] = [
  { least: 0, greatest: 59 },
  { least: 0, greatest: 23 },
  { least: 1, greatest: 31 },
  { least: 1, greatest: 12, names: months },
  { least: 0, greatest: 6, names: days },
];

const descriptor = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/**
 * Whether a schedule has the format of cron that Kyverno's webhook requires of cleanup policies (`ParseStandard` of
 * github.com/robfig/cron 1.2): five fields or a descriptor.
 */
export function isStandardSchedule(schedule: string): boolean {
  if (schedule.startsWith('@every ')) {
    return typeof parseDuration(schedule.slice('@every '.length)) === 'bigint';
  }
  if (schedule.startsWith('@')) return descriptor.test(schedule);
  const parts = schedule.match(/\S+/g) ?? [];
  return (
    parts.length === fields.length &&
    parts.every((part, at) => isField(part, fields[at] ?? { least: 0, greatest: 0 }))
  );
}

function isField(text: string, bounds: Bounds): boolean {
  return text
    .split(',')
    .filter((part) => part !== '')
    .every((part) => isRange(part, bounds));
}

/** Whether a text such as `5`, `1-5`, `*` or `0/15` is a range of values within the bounds. */
function isRange(text: string, bounds: Bounds): boolean {
  const [range = '', step = '1', ...tooManySlashes] = text.split('/');
  const [low = '', high, ...tooManyHyphens] = range.split('-');
  if (tooManySlashes.length > 0 || !(numberOf(step, {}) > 0)) return false;
  if (low === '*' || low === '?') return true;
  const start = numberOf(low, bounds);
  const hasStep = text.includes('/');
  const end = high === undefined ? (hasStep ? bounds.greatest : start) : numberOf(high, bounds);
  return (
    tooManyHyphens.length === 0 && start >= bounds.least && end <= bounds.greatest && start <= end
  );
}

/** The number that a text is, or the value with that name; NaN for any other text. */
function numberOf(text: string, { names = [], least = 0 }: Partial<Bounds>): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + least;
  return /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
}
