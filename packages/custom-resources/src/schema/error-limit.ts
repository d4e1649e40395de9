/** kube-apiserver needs longer than the time limit of a request to find as many errors of one object. */
const mostErrors = 10_000;

const mostCharacters = 4 * 2 ** 20;

/** The last error of an object with more errors than are reported. */
export const tooManyErrors = 'too many errors; further fields and rules were not checked';

/**
 * Limits the errors of one object. Each error of an item can repeat the complete enum, pattern or message of the schema,
 * so that the errors of a small object could exceed the memory.
 */
export class ErrorLimit {
  #errors = 0;
  #characters = 0;

  get isReached(): boolean {
    return this.#errors >= mostErrors || this.#characters >= mostCharacters;
  }

  /** Counts an error by its text. */
  count(text: string): void {
    this.#errors++;
    this.#characters += text.length;
  }
}
