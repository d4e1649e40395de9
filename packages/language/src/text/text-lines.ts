/** A place as the Language Server Protocol counts: lines from 0, characters in UTF-16 units from 0. */
export interface Position {
  /** From 0 on. */
  readonly line: number;
  /** UTF-16 units from the begin of the line on, from 0 on. */
  readonly character: number;
}

/** A stretch of a document; its end is behind its last character. */
export interface Range {
  /** Where it begins. */
  readonly start: Position;
  /** The place after its last character. */
  readonly end: Position;
}

/** Where the lines of a text begin. */
export class TextLines {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      starts.push(at + 1);
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** The index into the text of a position; one that lies beyond its line is the line's end. */
  offsetAt({ line, character }: Position): number {
    if (line < 0) return 0;
    const start = this.#starts[line];
    if (start === undefined) return this.text.length;
    return Math.min(start + Math.max(character, 0), this.endOf(line));
  }

  positionAt(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: Math.max(offset - (this.#starts[low] ?? 0), 0) };
  }

  rangeOf(start: number, end: number): Range {
    return { start: this.positionAt(start), end: this.positionAt(Math.max(start, end)) };
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** The index of a line's end, before its line break. */
  endOf(line: number): number {
    const next = this.#starts[line + 1];
    const end = next === undefined ? this.text.length : next - 1;
    return this.text[end - 1] === '\r' && end > this.startOf(line) ? end - 1 : end;
  }
}
