import { civilSeconds, daysInMonth, daysInYear } from './civil-time.ts';
import {
  type LayoutElement,
  type LayoutPiece,
  type NameElement,
  type NumberElement,
  splitLayout,
} from './layout.ts';
import { quoteText } from './quote-text.ts';
import type { Time } from './time.ts';

/** The reason why a string does not match a layout, with Go's message (`time.ParseError`). */
export interface TimeError {
  /** The message of Go's `time.Parse`. */
  readonly error: string;
}

/** Reads a time written in a layout of Go, as `time.Parse` on a machine whose zone is UTC. */
export function parseTime(layout: string, text: string): Time | TimeError {
  return new TimeReader(layout, text).read();
}

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
    for (const [at, { literal, element, text }] of pieces.entries()) {
      if (!this.#skip(literal)) return this.#mismatch(literal, this.#rest);
      if (element === undefined) break;
      const before = this.#rest;
      const fits = this.#element(element, text, pieces[at + 1]);
      if (this.#range !== '') return this.#error(`: ${this.#range} out of range`);
      if (!fits) return this.#mismatch(text, before);
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
  #skip(literal: string): boolean {
    let wanted = literal;
    while (wanted !== '') {
      if (wanted.startsWith(' ')) {
        if (this.#rest !== '' && !this.#rest.startsWith(' ')) return false;
        wanted = wanted.replace(/^ +/, '');
        this.#rest = this.#rest.replace(/^ +/, '');
      } else if (this.#rest !== '' && this.#rest[0] === wanted[0]) {
        wanted = wanted.slice(1);
        this.#rest = this.#rest.slice(1);
      } else {
        return false;
      }
    }
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#rest);
    if (match === null) return undefined;
    this.#rest = this.#rest.slice(match[0].length);
    return match;
  }

  /** Reads an element; false where the text is something else. */
  #element(element: LayoutElement, text: string, next: LayoutPiece | undefined): boolean {
    switch (element) {
      case 'half':
        return this.#readHalf(text === 'PM' ? /^[AP]M/ : /^[ap]m/);
      case 'zone':
        return this.#zone(text);
      case 'zoneName':
        return this.#zoneName();
      case 'fraction':
        return text.includes('9')
          ? this.#optionalFraction()
          : this.#fraction(new RegExp(`^[.,](\\d{${text.length - 1}})`));
      default:
        if ('names' in element) return this.#name(element);
        if (!this.#number(element)) return false;
        return (
          element.part !== 'second' || next?.element === 'fraction' || this.#optionalFraction()
        );
    }
  }

  #number({ part, digits, first = 0, last = Infinity, isShort = false }: NumberElement): boolean {
    const found = this.#take(digits)?.[0];
    if (found === undefined) return false;
    const value = Number(found);
    if (value < first || value > last) this.#range = part;
    this.#parts[part] = isShort ? value + (value >= 69 ? 1900 : 2000) : value;
    return true;
  }

  #name({ names, part }: NameElement): boolean {
    const at = names.findIndex(
      (name) => this.#rest.slice(0, name.length).toLowerCase() === name.toLowerCase(),
    );
    if (at < 0) return false;
    this.#rest = this.#rest.slice(names[at]?.length);
    if (part !== undefined) this.#parts[part] = at + 1;
    return true;
  }

  #readHalf(pattern: RegExp): boolean {
    const half = this.#take(pattern)?.[0].toUpperCase();
    if (half === 'AM' || half === 'PM') this.#half = half;
    return half !== undefined;
  }

  #optionalFraction(): true {
    this.#fraction(/^[.,](\d+)/);
    return true;
  }

  #fraction(pattern: RegExp): boolean {
    const digits = this.#take(pattern)?.[1];
    if (digits !== undefined) this.#nanoseconds = Number(digits.slice(0, 9).padEnd(9, '0'));
    return digits !== undefined;
  }

  #zone(layout: string): boolean {
    if (layout.startsWith('Z') && this.#rest.startsWith('Z') && !/00:?00$/.test(layout.slice(2))) {
      this.#rest = this.#rest.slice(1);
      return true;
    }
    const shape = layout.slice(1).replaceAll(/\d\d/g, '(..)');
    const match = this.#take(new RegExp(`^(.)${shape}`, 's'));
    if (match === undefined) return false;
    const [, sign, ...texts] = match;
    if (texts.some((text) => !/^\d\d$/.test(text))) return false;
    const [hours = 0, minutes = 0, seconds = 0] = texts.map(Number);
    if (hours > 24) this.#range = 'time zone offset hour';
    if (minutes > 60) this.#range = 'time zone offset minute';
    if (seconds > 60) this.#range = 'time zone offset second';
    if (sign !== '+' && sign !== '-') return false;
    const offset = (hours * 60 + minutes) * 60 + seconds;
    this.#offset = sign === '-' && offset !== 0 ? -offset : offset;
    return true;
  }

  /** The abbreviation of a zone counts as UTC, unless it is `GMT` with hours. */
  #zoneName(): boolean {
    const name = zoneNameOf(this.#rest);
    if (name === undefined) return false;
    this.#rest = this.#rest.slice(name.length);
    this.#isNamed = true;
    if (/^GMT[+-]/.test(name)) this.#offset = Number(name.slice(3)) * 3600;
    return true;
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
