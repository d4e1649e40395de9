/** The tree of a regular expression, as Go's `regexp/syntax` reads it with the flags of Perl. */
export type RegexNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CodePointSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'group'; readonly part: RegexNode; readonly number: number }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: RegexNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
      /** Written with braces. */
      readonly isCounted: boolean;
    };

/** What has to hold between two characters. */
export type Assertion =
  | 'beginText'
  | 'endText'
  | 'beginLine'
  | 'endLine'
  | 'wordBoundary'
  | 'noWordBoundary';

/**
 * A set of code points: those that one of the sources of a class of JavaScript has, such as `a-z` or `^\u{30}-\u{39}`,
 * or none of them where the set is negated.
 */
export interface CodePointSet {
  readonly sources: readonly string[];
  readonly isNegated: boolean;
  readonly foldsCase: boolean;
}

/** Why a text is no regular expression; `at` is the part of it that is to blame. */
export class RegexSyntaxError extends Error {
  constructor(problem: string, at: string) {
    super(`error parsing regexp: ${problem}: \`${at}\``);
  }
}
