import { jsonWithoutCommands } from '../ci-commands.ts';

/** A JSON document with one list, whose elements come a part at a time. */
export class JsonElements {
  readonly #indent: string;
  #head: string;
  #isEmpty = true;

  /**
   * @param head the text before the elements, including the bracket.
   * @param depth the nesting depth of the list.
   */
  constructor(head: string, depth: number) {
    this.#head = head;
    this.#indent = '  '.repeat(depth + 1);
  }

  /** The text of more elements. */
  add(elements: readonly unknown[]): string {
    const texts = elements.map((each) => {
      const lead = this.#isEmpty ? '\n' : ',\n';
      this.#isEmpty = false;
      const json = jsonWithoutCommands(JSON.stringify(each, null, 2));
      const text = json.replaceAll('\n', `\n${this.#indent}`);
      return `${lead}${this.#indent}${text}`;
    });
    return this.#takeHead() + texts.join('');
  }

  /** The text behind the last element; `rest` begins with the bracket. */
  end(rest: string): string {
    const between = this.#isEmpty ? '' : `\n${this.#indent.slice(2)}`;
    return this.#takeHead() + between + rest;
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }
}
