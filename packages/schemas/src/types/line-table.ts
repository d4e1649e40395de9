/** Lines of a name, a space and JSON. Each is parsed on first use, since few of them are ever used. */
export class LineTable {
  readonly #text: string;
  /** Where the JSON of a name begins. */
  readonly #starts = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
    for (let line = 0; line < text.length; line = this.#endOf(line) + 1) {
      const space = text.indexOf(' ', line);
      this.#starts.set(text.slice(line, space), space + 1);
    }
  }

  /** Returns the value in the line of a name, or `undefined`. */
  get(name: string): unknown {
    const start = this.#starts.get(name);
    return start === undefined
      ? undefined
      : JSON.parse(this.#text.slice(start, this.#endOf(start)));
  }

  get names(): Iterable<string> {
    return this.#starts.keys();
  }

  #endOf(position: number): number {
    const end = this.#text.indexOf('\n', position);
    return end < 0 ? this.#text.length : end;
  }
}
