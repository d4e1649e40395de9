import { daysInMonth } from '@kubeadmit/go';

/** Whether the text is a UUID, with or without its dashes (strfmt's `uuid`). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

/** Whether the text is padded standard base64 and not empty (strfmt's `byte`). */
export function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(
    text,
  );
}

/** Whether the text is a day of the calendar such as `2021-02-28` (strfmt's `date`). */
export function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

const time = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;

/** Whether the text is a date and time as strfmt's `datetime` takes it, upper or lower case. */
export function isDateTime(text: string): boolean {
  const [date = '', clock] = text.toLowerCase().split('t');
  const match = clock === undefined || !isDate(date) ? null : time.exec(clock);
  if (match === null) return false;
  const [hour = '', minute = '', second = ''] = match.slice(1);
  return hour <= '23' && minute <= '59' && second <= '59';
}
