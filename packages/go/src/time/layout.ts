/** A part of a time that is read as a number. */
export type TimePart = 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second';

/** The meaning of an element of a Go time layout. */
export type LayoutElement =
  | NumberElement
  | NameElement
  | 'half'
  | 'zoneName'
  | 'zone'
  /** Of nines any number of digits, of zeros as many as there are. */
  | 'fraction';

/** A number, which has to be in its range where there is one. */
export interface NumberElement {
  readonly part: TimePart;
  readonly digits: RegExp;
  /** Default 0. */
  readonly first?: number;
  readonly last?: number;
  /** Whether it is the end of a year from 1969 on. */
  readonly isShort?: boolean;
}

/** One of some names: the first month is 1, and weekdays say nothing. */
export interface NameElement {
  readonly names: readonly string[];
  readonly part?: 'month';
}

/** A piece of a layout: literal text, then an element unless the layout ends. */
export interface LayoutPiece {
  readonly literal: string;
  readonly element?: LayoutElement;
  /** The element as the layout writes it. */
  readonly text: string;
}

/** Names of months, the first that of January. */
export const longMonths: readonly string[] =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const two = /^\d\d/;
const upToTwo = /^\d\d?/;

/** In the order in which they are tried at each place. */
const elements: readonly (readonly [RegExp, LayoutElement])[] = [
  [/January/y, { names: longMonths, part: 'month' }],
  [/Jan(?![a-z])/y, { names: longMonths.map(short), part: 'month' }],
  [/Monday/y, { names: weekdays }],
  [/Mon(?![a-z])/y, { names: weekdays.map(short) }],
  [/MST/y, 'zoneName'],
  [/01/y, { part: 'month', digits: two, first: 1, last: 12 }],
  [/02/y, { part: 'day', digits: two }],
  [/03/y, { part: 'hour', digits: two, last: 12 }],
  [/04/y, { part: 'minute', digits: two, last: 59 }],
  [/05/y, { part: 'second', digits: two, last: 59 }],
  [/06/y, { part: 'year', digits: two, isShort: true }],
  [/002/y, { part: 'yearDay', digits: /^\d{3}/ }],
  [/15/y, { part: 'hour', digits: upToTwo, last: 23 }],
  [/1/y, { part: 'month', digits: upToTwo, first: 1, last: 12 }],
  [/2006/y, { part: 'year', digits: /^\d{4}/ }],
  [/2/y, { part: 'day', digits: upToTwo }],
  [/_2(?!006)/y, { part: 'day', digits: /^ ?\d\d?/ }],
  [/__2/y, { part: 'yearDay', digits: /^ {0,2}\d{1,3}/ }],
  [/3/y, { part: 'hour', digits: upToTwo, last: 12 }],
  [/4/y, { part: 'minute', digits: upToTwo, last: 59 }],
  [/5/y, { part: 'second', digits: upToTwo, last: 59 }],
  [/PM|pm/y, 'half'],
  [/[-Z](?:070000|07:00:00|0700|07:00|07)/y, 'zone'],
  [/[.,](?:0+|9+)(?!\d)/y, 'fraction'],
];

function short(name: string): string {
  return name.slice(0, 3);
}

/** Splits a Go time layout into its pieces; the last one has no element. */
export function splitLayout(layout: string): readonly LayoutPiece[] {
  const pieces: LayoutPiece[] = [];
  let literal = '';
  let at = 0;
  while (at < layout.length) {
    const found = elementAt(layout, at);
    if (found === undefined) {
      literal += layout[at++];
      continue;
    }
    pieces.push({ literal, element: found[1], text: found[0] });
    literal = '';
    at += found[0].length;
  }
  pieces.push({ literal, text: '' });
  return pieces;
}

function elementAt(layout: string, at: number): readonly [string, LayoutElement] | undefined {
  for (const [pattern, element] of elements) {
    pattern.lastIndex = at;
    const match = pattern.exec(layout);
    if (match !== null) return [match[0], element];
  }
  return undefined;
}
