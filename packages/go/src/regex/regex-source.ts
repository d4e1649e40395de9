/** The syntax of a regular expression: Go's sets of flags with these names. */
export type RegexSyntax = 'Perl' | 'POSIX';

/** The unread rest of a regular expression. */
export class RegexSource {
  rest: string;
  readonly isPerl: boolean;

  constructor(text: string, syntax: RegexSyntax) {
    this.rest = text;
    this.isPerl = syntax === 'Perl';
  }

  /** Takes the next character. */
  take(): string {
    const character = String.fromCodePoint(this.rest.codePointAt(0) ?? 0);
    this.skip(character.length);
    return character;
  }

  /** Returns the text that was read since the rest was `before`. */
  takenSince(before: string): string {
    return before.slice(0, before.length - this.rest.length);
  }

  /** Leaves out so many UTF-16 units. */
  skip(length: number): void {
    this.rest = this.rest.slice(length);
  }
}
