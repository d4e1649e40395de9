/** The elements of a JSON list, a part at a time. */
export class JsonElements {
  readonly #indent: string;
  #isEmpty = true;

  /** @param depth how many levels the list is nested in. */
  constructor(depth: number) {
    this.#indent = '  '.repeat(depth + 1);
  }

  /** The text of more elements. */
  add(elements: readonly unknown[]): string {
    const texts = elements.map((each) => {
      const lead = this.#isEmpty ? '\n' : ',\n';
      this.#isEmpty = false;
      const text = JSON.stringify(each, null, 2).replaceAll('\n', `\n${this.#indent}`);
      return `${lead}${this.#indent}${text}`;
    });
    return texts.join('');
  }

  /** What stands between the last element and the bracket. */
  end(): string {
    return this.#isEmpty ? '' : `\n${this.#indent.slice(2)}`;
  }
}
