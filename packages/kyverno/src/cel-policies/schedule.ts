/** A field of a cron expression. */
interface ScheduleField {
  readonly name: string;
  readonly least: number;
  readonly greatest: number;
  /** The pattern of a single value. */
  readonly value: string;
  /** The pattern of directives that only this field has, such as the last day of a month. */
  readonly special?: string;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const longMonths = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const longDays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const sixty = { least: 0, greatest: 59, value: '0?[0-9]|[1-5][0-9]' };
const dayOfWeek = ['0?[0-7]', ...days, ...longDays].join('|');
const dayOfMonth = '0?[1-9]|[12][0-9]|3[01]';

/** The fields in their order; the first is left out unless there are seven. */
const fields: readonly ScheduleField[] = [
  { name: 'second', ...sixty },
  { name: 'minute', ...sixty },
  { name: 'hour', least: 0, greatest: 23, value: '0?[0-9]|1[0-9]|2[0-3]' },
  {
    name: 'day-of-month',
    least: 1,
    greatest: 31,
    value: dayOfMonth,
    special: `l|lw|(?:${dayOfMonth})w`,
  },
  {
    name: 'month',
    least: 1,
    greatest: 12,
    value: ['0?[1-9]', '1[012]', ...months, ...longMonths].join('|'),
    names: ['', ...months],
  },
  {
    name: 'day-of-week',
    least: 0,
    greatest: 6,
    value: dayOfWeek,
    special: `(?:${dayOfWeek})(?:l|#[1-5])`,
    names: days,
  },
  { name: 'year', least: 1970, greatest: 2099, value: '19[789][0-9]|20[0-9]{2}' },
];

const aliases: Readonly<Record<string, string>> = {
  '@yearly': '0 0 0 1 1 * *',
  '@annually': '0 0 0 1 1 * *',
  '@monthly': '0 0 0 1 * * *',
  '@weekly': '0 0 0 * * 0 *',
  '@daily': '0 0 0 * * * *',
  '@hourly': '0 0 * * * * *',
};

/** Returns why a schedule is not a cron expression, in the words of the parser that Kyverno uses, or `undefined`. */
export function scheduleProblem(schedule: string): string | undefined {
  const alias = new RegExp(Object.keys(aliases).join('|'), 'g');
  const text = schedule.replace(alias, (name) => aliases[name] ?? name);
  const given = text.match(/\S+/g) ?? [];
  if (given.length < 5) return 'missing field(s)';
  const asked = given.length >= 7 ? fields : fields.slice(1);
  for (const [at, field] of asked.entries()) {
    const part = given[at];
    const problem = part === undefined ? undefined : fieldProblem(part, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fieldProblem(text: string, field: ScheduleField): string | undefined {
  const directives = text.split(',').filter((directive) => directive !== '');
  if (directives.length === 0) return `${field.name} field: missing directive`;
  for (const directive of directives) {
    const problem = intervalProblem(directive.toLowerCase(), field);
    if (problem !== undefined) return problem;
  }
  const isRead = pattern(
    [
      '[*?]',
      String.raw`\*/\d+`,
      String.raw`(?:${field.value})(?:-(?:${field.value}))?(?:/\d+)?`,
      ...(field.special === undefined ? [] : [field.special]),
    ].join('|'),
  );
  for (const directive of directives) {
    // A wildcard makes the rest of a list irrelevant, except of days.
    if (/^[*?]$/.test(directive) && field.special === undefined) return undefined;
    if (!isRead.test(directive.toLowerCase())) {
      return `syntax error in ${field.name} field: '${directive}'`;
    }
  }
  return undefined;
}

function intervalProblem(directive: string, field: ScheduleField): string | undefined {
  const range = pattern(`(${field.value})-(${field.value})`).exec(directive);
  if (range !== null) {
    const [first, last] = [numberOf(range[1], field), numberOf(range[2], field)];
    if (last >= first) return undefined;
    return `invalid interval ${directive} (normalized to ${first}-${last})`;
  }
  const value = `(?:${field.value})`;
  const stepped = pattern(String.raw`(?:\*|${value}|${value}-${value})/(\d+)`).exec(directive);
  if (stepped === null) return undefined;
  // The parser knows numbers of one or two digits, and years.
  const step = /^(?:[0-5]?\d|19[789]\d|20\d\d)$/.test(stepped[1] ?? '') ? Number(stepped[1]) : 0;
  return step < 1 || step > field.greatest ? `invalid interval ${directive}` : undefined;
}

function numberOf(text = '', { name, names }: ScheduleField): number {
  // The parser knows no day of a week with a leading zero.
  if (name === 'day-of-week' && /^\d/.test(text)) return /^[0-6]$/.test(text) ? Number(text) : 0;
  if (names === undefined || /^\d/.test(text)) return Number(text);
  return names.indexOf(text.slice(0, 3));
}

function pattern(source: string): RegExp {
  return new RegExp(`^(?:${source})$`);
}
