import { requireText } from '../arguments.ts';
import { civilSeconds, daysInMonth, daysInYear } from './civil-time.ts';
import { type LayoutElement, type LayoutPiece, splitLayout } from './layout.ts';
import { quoteText } from './quote-text.ts';
import type { Time } from './time.ts';

/** Why a text is no time of a layout, in Go's words (`time.ParseError`). */
export interface TimeError {
  readonly error: string;
}

/** Names of months, the first that of January. */
export const longMonths: readonly string[] =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Reads a time written in a layout of Go, as `time.Parse` on a machine whose zone is UTC. */
export function parseTime(layout: string, text: string): Time | TimeError {
  requireText('parseTime', layout);
  requireText('parseTime', text);
  return new TimeReader(layout, text).read();
}

/** Text that is not what the layout wants. */
const bad = Symbol('bad');

class TimeReader {
  readonly #layout: string;
  readonly #text: string;
  #rest: string;
  #range = '';
  readonly #parts = { year: 0, month: -1, day: -1, yearDay: -1, hour: 0, minute: 0, second: 0 };
  #nanoseconds = 0;
  #half: 'AM' | 'PM' | undefined;
  #offset = 0;
  /** Whether the zone has a name alone, by which Go does not move the clock. */
  #isNamed = false;

  constructor(layout: string, text: string) {
    this.#layout = layout;
    this.#text = text;
    this.#rest = text;
  }

  read(): Time | TimeError {
    const pieces = splitLayout(this.#layout);
    for (const [at, piece] of pieces.entries()) {
      if (this.#skip(piece.literal) === bad) return this.#mismatch(piece.literal, this.#rest);
      if (piece.element === undefined) break;
      const before = this.#rest;
      const outcome = this.#element(piece.element, piece, pieces[at + 1]);
      if (this.#range !== '') return this.#error(`: ${this.#range} out of range`);
      if (outcome === bad) return this.#mismatch(piece.text, before);
    }
    if (this.#rest !== '') return this.#error(`: extra text: ${quoteText(this.#rest)}`);
    return this.#finish();
  }

  #finish(): Time | TimeError {
    const parts = this.#parts;
    if (this.#half === 'PM' && parts.hour < 12) parts.hour += 12;
    else if (this.#half === 'AM' && parts.hour === 12) parts.hour = 0;
    const problem = this.#resolveYearDay();
    if (problem !== undefined) return this.#error(problem);
    if (parts.day < 1 || parts.day > daysInMonth(parts.year, parts.month)) {
      return this.#error(': day out of range');
    }
    return {
      seconds: civilSeconds(parts) - (this.#isNamed ? 0 : this.#offset),
      nanoseconds: this.#nanoseconds,
      offset: this.#offset,
    };
  }

  #resolveYearDay(): string | undefined {
    const parts = this.#parts;
    if (parts.yearDay < 0) {
      if (parts.month < 0) parts.month = 1;
      if (parts.day < 0) parts.day = 1;
      return undefined;
    }
    const { year, yearDay } = parts;
    if (yearDay < 1 || yearDay > daysInYear(year)) return ': day-of-year out of range';
    let month = 1;
    let day = yearDay;
    while (day > daysInMonth(year, month)) day -= daysInMonth(year, month++);
    if (parts.month >= 0 && parts.month !== month) return ': day-of-year does not match month';
    if (parts.day >= 0 && parts.day !== day) return ': day-of-year does not match day';
    parts.month = month;
    parts.day = day;
    return undefined;
  }

  #mismatch(element: string, rest: string): TimeError {
    return this.#error(
      ` as ${quoteText(this.#layout)}: cannot parse ${quoteText(rest)} as ${quoteText(element)}`,
    );
  }

  #error(message: string): TimeError {
    return { error: `parsing time ${quoteText(this.#text)}${message}` };
  }

  /** Takes literal text; spaces of the layout stand for any number of spaces. */
  #skip(literal: string): typeof bad | undefined {
    let wanted = literal;
    while (wanted !== '') {
      if (wanted.startsWith(' ')) {
        if (this.#rest !== '' && !this.#rest.startsWith(' ')) return bad;
        wanted = wanted.replace(/^ +/, '');
        this.#rest = this.#rest.replace(/^ +/, '');
      } else if (this.#rest !== '' && this.#rest[0] === wanted[0]) {
        wanted = wanted.slice(1);
        this.#rest = this.#rest.slice(1);
      } else {
        return bad;
      }
    }
    return undefined;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#rest);
    if (match === null) return undefined;
    this.#rest = this.#rest.slice(match[0].length);
    return match;
  }

  /** A number of one or two digits, or of exactly two. */
  #number(fixed: boolean): number | typeof bad {
    const match = this.#take(fixed ? /^\d\d/ : /^\d\d?/);
    return match === undefined ? bad : Number(match[0]);
  }

  #ranged(fixed: boolean, first: number, last: number, name: string): number | typeof bad {
    const value = this.#number(fixed);
    if (value !== bad && (value < first || value > last)) this.#range = name;
    return value;
  }

  #name(names: readonly string[]): number | typeof bad {
    const at = names.findIndex(
      (name) => this.#rest.slice(0, name.length).toLowerCase() === name.toLowerCase(),
    );
    if (at < 0) return bad;
    this.#rest = this.#rest.slice(names[at]?.length);
    return at;
  }

  #set(
    part: 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second',
    value: number | typeof bad,
  ): typeof bad | undefined {
    if (value === bad) return bad;
    this.#parts[part] = value;
    return undefined;
  }

  #element(
    element: LayoutElement,
    piece: LayoutPiece,
    next: LayoutPiece | undefined,
  ): typeof bad | undefined {
    switch (element) {
      case 'longYear': {
        const digits = this.#take(/^\d[\s\S]{3}/)?.[0];
        return digits !== undefined && /^\d+$/.test(digits)
          ? this.#set('year', Number(digits))
          : bad;
      }
      case 'year': {
        const digits = this.#take(/^\d\d/)?.[0];
        return this.#set(
          'year',
          digits === undefined ? bad : Number(digits) + (Number(digits) >= 69 ? 1900 : 2000),
        );
      }
      case 'month':
      case 'longMonth': {
        const at = this.#name(element === 'month' ? longMonths.map(short) : longMonths);
        return this.#set('month', at === bad ? bad : at + 1);
      }
      case 'numMonth':
      case 'zeroMonth':
        return this.#set('month', this.#ranged(element === 'zeroMonth', 1, 12, 'month'));
      case 'weekday':
      case 'longWeekday':
        return this.#name(element === 'weekday' ? weekdays.map(short) : weekdays) === bad
          ? bad
          : undefined;
      case 'day':
      case 'underDay':
      case 'zeroDay':
        if (element === 'underDay') this.#take(/^ /);
        return this.#set('day', this.#number(element === 'zeroDay'));
      case 'underYearDay':
      case 'zeroYearDay':
        return this.#yearDay(element === 'zeroYearDay');
      case 'hour':
        return this.#set('hour', this.#ranged(false, 0, 23, 'hour'));
      case 'hour12':
      case 'zeroHour12':
        return this.#set('hour', this.#ranged(element === 'zeroHour12', 0, 12, 'hour'));
      case 'minute':
      case 'zeroMinute':
        return this.#set('minute', this.#ranged(element === 'zeroMinute', 0, 59, 'minute'));
      case 'second':
      case 'zeroSecond':
        return this.#second(element === 'zeroSecond', next);
      case 'PM':
      case 'pm': {
        const half = this.#take(element === 'PM' ? /^[AP]M/ : /^[ap]m/)?.[0];
        if (half === undefined) return bad;
        this.#half = half.toUpperCase() === 'AM' ? 'AM' : 'PM';
        return undefined;
      }
      case 'zone':
        return this.#zone(piece.text);
      case 'zoneName':
        return this.#zoneName();
      case 'fraction0':
        return this.#fraction(this.#rest.slice(0, piece.text.length), piece.text.length);
      case 'fraction9': {
        const digits = /^[.,]\d+/.exec(this.#rest)?.[0];
        return digits === undefined ? undefined : this.#fraction(digits, digits.length);
      }
    }
  }

  #yearDay(fixed: boolean): typeof bad | undefined {
    if (!fixed) this.#take(/^ {1,2}/);
    const digits = this.#take(fixed ? /^\d{3}/ : /^\d{1,3}/);
    return this.#set('yearDay', digits === undefined ? bad : Number(digits[0]));
  }

  #second(fixed: boolean, next: LayoutPiece | undefined): typeof bad | undefined {
    const outcome = this.#set('second', this.#ranged(fixed, 0, 59, 'second'));
    if (outcome === bad || this.#range !== '') return outcome;
    if (next?.element === 'fraction0' || next?.element === 'fraction9') return undefined;
    const digits = /^[.,]\d+/.exec(this.#rest)?.[0];
    return digits === undefined ? undefined : this.#fraction(digits, digits.length);
  }

  #fraction(text: string, length: number): typeof bad | undefined {
    const digits = /^[.,](\d+)$/.exec(text)?.[1];
    if (digits === undefined || text.length < length) return bad;
    this.#nanoseconds = Number(digits.slice(0, 9).padEnd(9, '0'));
    this.#rest = this.#rest.slice(length);
    return undefined;
  }

  #zone(layout: string): typeof bad | undefined {
    if (layout.startsWith('Z') && this.#rest.startsWith('Z') && !/00:?00$/.test(layout.slice(2))) {
      this.#rest = this.#rest.slice(1);
      return undefined;
    }
    const shape = layout.slice(1).replaceAll(/\d\d/g, '(..)');
    const match = this.#take(new RegExp(`^(.)${shape}`, 's'));
    if (match === undefined) return bad;
    const [, sign, ...texts] = match;
    if (texts.some((text) => !/^\d\d$/.test(text))) return bad;
    const [hours = 0, minutes = 0, seconds = 0] = texts.map(Number);
    if (hours > 24) this.#range = 'time zone offset hour';
    if (minutes > 60) this.#range = 'time zone offset minute';
    if (seconds > 60) this.#range = 'time zone offset second';
    if (sign !== '+' && sign !== '-') return bad;
    const offset = (hours * 60 + minutes) * 60 + seconds;
    this.#offset = sign === '-' && offset !== 0 ? -offset : offset;
    return undefined;
  }

  /** The abbreviation of a zone counts as UTC, unless it is `GMT` with hours. */
  #zoneName(): typeof bad | undefined {
    const name = zoneNameOf(this.#rest);
    if (name === undefined) return bad;
    this.#rest = this.#rest.slice(name.length);
    this.#isNamed = true;
    if (/^GMT[+-]/.test(name)) this.#offset = Number(name.slice(3)) * 3600;
    return undefined;
  }
}

function zoneNameOf(text: string): string | undefined {
  if (text.startsWith('UTC')) return 'UTC';
  const special = /^(?:ChST|MeST)/.exec(text)?.[0];
  if (special !== undefined) return special;
  if (text.startsWith('GMT')) return `GMT${signedHours(text.slice(3))}`;
  if (/^[+-]/.test(text) && text.length >= 3) return signedHours(text) || undefined;
  const letters = /^[A-Z]{0,6}/.exec(text)?.[0] ?? '';
  if (letters.length === 3) return letters;
  if (letters.length === 4 && (letters.endsWith('T') || letters === 'WITA')) return letters;
  return letters.length === 5 && letters.endsWith('T') ? letters : undefined;
}

function signedHours(text: string): string {
  const match = /^[+-](\d+)/.exec(text);
  return match !== null && Number(match[1]) <= 23 ? match[0] : '';
}

function short(name: string): string {
  return name.slice(0, 3);
}
