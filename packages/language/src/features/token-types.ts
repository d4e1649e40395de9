/** The kinds of semantic tokens, in the order of their numbers. */
export const tokenTypes = [
  'keyword',
  'variable',
  'property',
  'function',
  'method',
  'string',
  'number',
  'operator',
  'comment',
  'parameter',
  'type',
] as const;

/** The kind of a token. */
export type TokenType = (typeof tokenTypes)[number];
