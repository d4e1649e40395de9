/** The text of a plain or quoted scalar, whose lines are folded: one break is a space, more are one less. */
export class FoldedText {
  #value = '';
  #blanks = '';
  #firstBreak: string | undefined;
  #otherBreaks = '';

  /** Whether a line has ended since text was added last. */
  get hasBreak(): boolean {
    return this.#firstBreak !== undefined;
  }

  /** The added text, without trailing spaces. */
  get value(): string {
    return this.#value;
  }

  /** Adds text, after the space before it. */
  add(text: string): void {
    this.#value += this.#space() + text;
    this.#blanks = '';
    this.#firstBreak = undefined;
    this.#otherBreaks = '';
  }

  /** Adds a space or a tab, which does not count at the beginning of a line. */
  addBlank(blank: string): void {
    if (this.#firstBreak === undefined) this.#blanks += blank;
  }

  /** Adds the end of a line. */
  addBreak(text: string): void {
    if (this.#firstBreak === undefined) this.#firstBreak = text;
    else this.#otherBreaks += text;
  }

  /** Adds the end of a line that is escaped: the space before it stays, that behind it does not count. */
  addEscapedBreak(): void {
    this.add('');
    this.#firstBreak = '';
  }

  #space(): string {
    const first = this.#firstBreak;
    if (first === undefined) return this.#blanks;
    if (first !== '\n') return first + this.#otherBreaks;
    return this.#otherBreaks === '' ? ' ' : this.#otherBreaks;
  }
}
