import { encodeUtf8 } from '@kubeadmit/go';

/** The layouts of Go that Kubernetes reads times with. */
const layouts = {
  time: '2006-01-02T15:04:05Z07:00',
  microtime: '2006-01-02T15:04:05.000000Z07:00',
  date: '2006-01-02',
  localTime: '2006-01-02T15:04:05',
} as const;

/** A refusal of a text, as Go words it. */
export class TimeError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * The canonical text of a time (`metav1.Time`: seconds in UTC; `metav1.MicroTime`: microseconds in UTC), read as
 * Go's `time.Parse` reads RFC 3339; null for the zero time.
 */
export function canonicalTime(text: string, kind: 'time' | 'microtime'): string | null | TimeError {
  const parser = new Parser(text, layouts[kind]);
  try {
    return parser.parse(kind === 'microtime');
  } catch (error) {
    if (error instanceof TimeError) return error;
    throw error;
  }
}

/** What Go's `time.Parse` says of a text that does not have a layout; undefined for one that has. */
export function timeProblem(text: string, kind: keyof typeof layouts): string | undefined {
  const parser = new Parser(text, layouts[kind]);
  try {
    if (kind === 'time' || kind === 'microtime') parser.parse(kind === 'microtime');
    else parser.check(kind === 'localTime');
    return undefined;
  } catch (error) {
    if (error instanceof TimeError) return error.message;
    throw error;
  }
}

class Parser {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  parse(micro: boolean): string | null {
    const { year, month, day } = this.#date();
    this.#literal('T');
    const { hour, minute, second } = this.#clock();
    const nanos = micro ? this.#fixedFraction() : this.#fraction();
    const offset = this.#zone();
    this.#end(year, month, day);
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    date.setTime(date.getTime() - offset * 1000);
    if (nanos === 0 && date.getTime() === zeroTime) return null;
    return format(date, micro ? nanos : undefined);
  }

  /** Throws where the text is no date, with a time of day or without. */
  check(hasClock: boolean): void {
    const { year, month, day } = this.#date();
    if (hasClock) {
      this.#literal('T');
      this.#clock();
      this.#fraction();
    }
    this.#end(year, month, day);
  }

  #date(): { readonly year: number; readonly month: number; readonly day: number } {
    const year = this.#year();
    this.#literal('-');
    const month = this.#number('01', true);
    if (month < 1 || month > 12) this.#range('month');
    this.#literal('-');
    return { year, month, day: this.#number('02', true) };
  }

  #clock(): { readonly hour: number; readonly minute: number; readonly second: number } {
    const hour = this.#number('15', false);
    if (hour > 23) this.#range('hour');
    this.#literal(':');
    const minute = this.#number('04', true);
    if (minute > 59) this.#range('minute');
    this.#literal(':');
    const second = this.#number('05', true);
    if (second > 59) this.#range('second');
    return { hour, minute, second };
  }

  #end(year: number, month: number, day: number): void {
    if (this.#rest !== '') throw this.#error(`: extra text: ${quote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#range('day');
  }

  #year(): number {
    if (!/^[0-9]/.test(this.#rest) || this.#rest.length < 4) throw this.#cannot('2006');
    const digits = this.#rest.slice(0, 4);
    if (!/^[0-9]{4}$/.test(digits)) throw this.#cannot('2006');
    this.#rest = this.#rest.slice(4);
    return Number(digits);
  }

  #literal(text: string): void {
    if (!this.#rest.startsWith(text)) throw this.#cannot(text);
    this.#rest = this.#rest.slice(text.length);
  }

  #number(element: string, twoDigits: boolean): number {
    const match = (twoDigits ? /^[0-9]{2}/ : /^[0-9]{1,2}/).exec(this.#rest);
    if (!match) throw this.#cannot(element);
    this.#rest = this.#rest.slice(match[0].length);
    return Number(match[0]);
  }

  #fraction(): number {
    const match = /^[.,]([0-9]+)/.exec(this.#rest);
    if (!match) return 0;
    this.#rest = this.#rest.slice(match[0].length);
    return Number((match[1] as string).slice(0, 9).padEnd(9, '0'));
  }

  #fixedFraction(): number {
    const match = /^[.,]([0-9]{6})/.exec(this.#rest);
    if (!match) throw this.#cannot('.000000');
    this.#rest = this.#rest.slice(7);
    return Number(match[1]) * 1000;
  }

  /** Seconds east of Greenwich. */
  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const match = /^(.)([0-9]{2}):([0-9]{2})/s.exec(this.#rest);
    if (!match) throw this.#cannot('Z07:00');
    const [all, sign, hours, minutes] = match;
    const hold = this.#rest;
    this.#rest = this.#rest.slice(all.length);
    if (Number(hours) > 24) this.#range('time zone offset hour');
    if (Number(minutes) > 60) this.#range('time zone offset minute');
    if (sign !== '+' && sign !== '-') {
      this.#rest = hold;
      throw this.#cannot('Z07:00');
    }
    const seconds = Number(hours) * 3600 + Number(minutes) * 60;
    return sign === '-' ? -seconds : seconds;
  }

  #range(what: string): never {
    throw this.#error(`: ${what} out of range`);
  }

  #cannot(element: string): TimeError {
    return this.#error(
      ` as ${quote(this.#layout)}: cannot parse ${quote(this.#rest)} as ${quote(element)}`,
    );
  }

  #error(message: string): TimeError {
    return new TimeError(`parsing time ${quote(this.#text)}${message}`);
  }
}

const zeroTime = new Date(0).setUTCFullYear(1, 0, 1);

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function format(date: Date, nanos: number | undefined): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const year = date.getUTCFullYear();
  const years = year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
  const day = `${years}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  if (nanos === undefined) return `${day}T${time}Z`;
  return `${day}T${time}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}

/** A text as Go's package time quotes it. */
function quote(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (character === '"' || character === '\\') quoted += `\\${character}`;
    else if (code >= 0x20 && code < 0x80) quoted += character;
    else
      for (const byte of encodeUtf8(character))
        quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `${quoted}"`;
}
