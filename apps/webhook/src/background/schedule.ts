import { Cron } from 'croner';

/**
 * Returns the first time of a schedule after a time, in milliseconds since 1970, or `undefined` if none follows. Times
 * are in UTC.
 *
 * Schedules have five fields, six with a year, or seven with seconds and a year, as in Kyverno.
 *
 * @throws Error if the schedule is invalid
 */
export function nextRun(schedule: string, after: number): number | undefined {
  const fields = schedule.trim().split(/\s+/);
  const pattern = fields.length === 6 ? ['0', ...fields] : fields;
  const cron = new Cron(pattern.join(' ').replaceAll('?', '*'), { timezone: 'UTC', paused: true });
  return cron.nextRun(new Date(after))?.getTime();
}
