/** A date and a time of day in the proleptic Gregorian calendar, without a zone. */
export interface CivilTime {
  /** The year of the Gregorian calendar; 0 is 1 BC. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 to 23. */
  readonly hour: number;
  /** 0 to 59. */
  readonly minute: number;
  /** 0 to 59; there are no leap seconds. */
  readonly second: number;
}

const secondsPerDay = 86400;

/** The number of days of a month; `month` from 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The number of days of a year. */
export function daysInYear(year: number): number {
  return isLeapYear(year) ? 366 : 365;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days since 1970-01-01 of a date; negative before it. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  // Years that begin in March, so that a leap day is the last day of its year.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** Seconds since 1970-01-01T00:00:00 of a date and time of day in the same zone. */
export function civilSeconds(time: CivilTime): number {
  return (
    daysSinceEpoch(time.year, time.month, time.day) * secondsPerDay +
    time.hour * 3600 +
    time.minute * 60 +
    time.second
  );
}

/** The date and time of day of seconds since 1970-01-01T00:00:00. */
export function civilTime(seconds: number): CivilTime {
  const days = Math.floor(seconds / secondsPerDay);
  const ofDay = seconds - days * secondsPerDay;
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor(ofDay / 60) % 60,
    second: ofDay % 60,
  };
}

/** The day of the week of seconds since 1970-01-01T00:00:00, 0 for Sunday. */
export function dayOfWeek(seconds: number): number {
  const days = Math.floor(seconds / secondsPerDay) + 4;
  return days - Math.floor(days / 7) * 7;
}

/** The day of the year of seconds since 1970-01-01T00:00:00, from 0. */
export function dayOfYear(seconds: number): number {
  return Math.floor(seconds / secondsPerDay) - daysSinceEpoch(civilTime(seconds).year, 1, 1);
}
