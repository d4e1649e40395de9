import { requireText } from '@kubeadmit/base';

/** A place for people: both count from 1, columns in characters (code points). */
export interface Place {
  /** From 1 on. */
  readonly line: number;
  /** From 1 on, in code points. */
  readonly column: number;
}

/** A file, and a place in it where there is one, as in `pod.yaml:3:5`. */
export function formatPlace(file: string, place: Place | undefined): string {
  return place === undefined ? file : `${file}:${place.line}:${place.column}`;
}

/** A part of a text: indexes of UTF-16 units, the end does not belong to it. */
export interface TextRange {
  /** Index of the first UTF-16 unit. */
  readonly start: number;
  /** Index after the last UTF-16 unit. */
  readonly end: number;
}

/** A part of a text that is to be another one. */
export interface TextEdit {
  /** The range to replace. */
  readonly range: TextRange;
  /** The replacement. */
  readonly newText: string;
}

/** A text with its name for messages: a path, or `<stdin>`. */
export class Source {
  /** A path, or `<stdin>`. */
  readonly name: string;
  /** The whole text. */
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(name: string, text: string) {
    requireText('Source', name);
    requireText('Source', text);
    this.name = name;
    this.text = text;
  }

  /** The line and column of an index into the text. */
  placeAt(offset: number): Place {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = this.text.slice(starts[low] ?? 0, offset);
    return { line: low + 1, column: codePointLength(before) + 1 };
  }

  /** The text of a line, counted from 1, without its end. */
  line(number: number): string {
    const starts = this.#starts();
    const line = this.text.slice(starts[number - 1] ?? 0, starts[number] ?? this.text.length);
    return line.replace(/\r?\n$/, '');
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) {
        starts.push(at + 1);
      }
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}

/** How many characters (code points) a text has. */
function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Converts a position of CEL (lines from 1, columns from 0 in code points) to an index into the expression. */
export function expressionOffset(expression: string, line: number, column: number): number {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const newline = expression.indexOf('\n', start);
    if (newline === -1) return expression.length;
    start = newline + 1;
  }
  let offset = start;
  for (let count = 0; count < column && offset < expression.length; count++) {
    offset += (expression.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
