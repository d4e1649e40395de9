/** The elements of a Go time layout that mean something. */
export type LayoutElement =
  | 'longMonth'
  | 'month'
  | 'numMonth'
  | 'zeroMonth'
  | 'longWeekday'
  | 'weekday'
  | 'day'
  | 'underDay'
  | 'zeroDay'
  | 'underYearDay'
  | 'zeroYearDay'
  | 'hour'
  | 'hour12'
  | 'zeroHour12'
  | 'minute'
  | 'zeroMinute'
  | 'second'
  | 'zeroSecond'
  | 'longYear'
  | 'year'
  | 'PM'
  | 'pm'
  | 'zoneName'
  | 'zone'
  | 'fraction0'
  | 'fraction9';

/** A piece of a layout: literal text, then an element unless the layout ends. */
export interface LayoutPiece {
  readonly literal: string;
  readonly element?: LayoutElement;
  /** The element as the layout writes it. */
  readonly text: string;
}

/** In the order in which they are tried at each place. */
const elements: readonly (readonly [RegExp, LayoutElement])[] = [
  [/January/y, 'longMonth'],
  [/Jan(?![a-z])/y, 'month'],
  [/Monday/y, 'longWeekday'],
  [/Mon(?![a-z])/y, 'weekday'],
  [/MST/y, 'zoneName'],
  [/01/y, 'zeroMonth'],
  [/02/y, 'zeroDay'],
  [/03/y, 'zeroHour12'],
  [/04/y, 'zeroMinute'],
  [/05/y, 'zeroSecond'],
  [/06/y, 'year'],
  [/002/y, 'zeroYearDay'],
  [/15/y, 'hour'],
  [/1/y, 'numMonth'],
  [/2006/y, 'longYear'],
  [/2/y, 'day'],
  [/_2(?!006)/y, 'underDay'],
  [/__2/y, 'underYearDay'],
  [/3/y, 'hour12'],
  [/4/y, 'minute'],
  [/5/y, 'second'],
  [/PM/y, 'PM'],
  [/pm/y, 'pm'],
  [/[-Z](?:070000|07:00:00|0700|07:00|07)/y, 'zone'],
  [/[.,]0+(?!\d)/y, 'fraction0'],
  [/[.,]9+(?!\d)/y, 'fraction9'],
];

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
