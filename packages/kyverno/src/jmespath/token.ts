/** The kinds of tokens, by the names that syntax errors print. */
export type TokenKind =
  | 'tUnknown'
  | 'tStar'
  | 'tDot'
  | 'tFilter'
  | 'tFlatten'
  | 'tLparen'
  | 'tRparen'
  | 'tLbracket'
  | 'tRbracket'
  | 'tLbrace'
  | 'tRbrace'
  | 'tOr'
  | 'tPipe'
  | 'tNumber'
  | 'tUnquotedIdentifier'
  | 'tQuotedIdentifier'
  | 'tComma'
  | 'tColon'
  | 'tLT'
  | 'tLTE'
  | 'tGT'
  | 'tGTE'
  | 'tEQ'
  | 'tNE'
  | 'tJSONLiteral'
  | 'tStringLiteral'
  | 'tCurrent'
  | 'tExpref'
  | 'tAnd'
  | 'tNot'
  | 'tEOF';

/** A token with its text; for identifiers and literals, the text between the quotes. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** How strongly a token binds the expression on its left; tokens that are not named bind with 0. */
export const bindingPowers: Readonly<Partial<Record<TokenKind, number>>> = {
  tPipe: 1,
  tOr: 2,
  tAnd: 3,
  tEQ: 5,
  tLT: 5,
  tLTE: 5,
  tGT: 5,
  tGTE: 5,
  tNE: 5,
  tFlatten: 9,
  tStar: 20,
  tFilter: 21,
  tDot: 40,
  tNot: 45,
  tLbrace: 50,
  tLbracket: 55,
  tLparen: 60,
};
