/** What is left of a regular expression while it is read. */
export class RegexSource {
  rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  /** Takes the next character. */
  take(): string {
    const character = String.fromCodePoint(this.rest.codePointAt(0) ?? 0);
    this.skip(character.length);
    return character;
  }

  /** What was taken since there was so much left. */
  takenSince(before: string): string {
    return before.slice(0, before.length - this.rest.length);
  }

  /** Leaves out so many UTF-16 units. */
  skip(length: number): void {
    this.rest = this.rest.slice(length);
  }
}
