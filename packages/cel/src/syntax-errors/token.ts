/** The kind of a token; the order of kinds is the order in which messages list them. */
export type TokenKind = number;

/** The kinds of tokens by name. */
export const tokenKind = {
  endOfInput: -1,
  equals: 1,
  notEquals: 2,
  in: 3,
  less: 4,
  lessEquals: 5,
  greaterEquals: 6,
  greater: 7,
  and: 8,
  or: 9,
  leftBracket: 10,
  rightBracket: 11,
  leftBrace: 12,
  rightBrace: 13,
  leftParenthesis: 14,
  rightParenthesis: 15,
  dot: 16,
  comma: 17,
  minus: 18,
  not: 19,
  questionMark: 20,
  colon: 21,
  plus: 22,
  star: 23,
  slash: 24,
  percent: 25,
  true: 26,
  false: 27,
  null: 28,
  whitespace: 29,
  comment: 30,
  double: 31,
  int: 32,
  uint: 33,
  string: 34,
  bytes: 35,
  identifier: 36,
  escapedIdentifier: 37,
} as const;

/** Texts of the kinds that always have the same text, at the index of their kind. */
export const fixedTexts: readonly string[] =
  ' == != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null'.split(' ');

const classNames = new Map<TokenKind, string>([
  [tokenKind.endOfInput, '<EOF>'],
  [tokenKind.double, 'NUM_FLOAT'],
  [tokenKind.int, 'NUM_INT'],
  [tokenKind.uint, 'NUM_UINT'],
  [tokenKind.string, 'STRING'],
  [tokenKind.bytes, 'BYTES'],
  [tokenKind.identifier, 'IDENTIFIER'],
  [tokenKind.escapedIdentifier, 'ESC_IDENTIFIER'],
]);

/** A piece of the source, or a token that recovery made up (then its index is -1). */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly index: number;
}

/** Whether the parser receives the token: white space and comments are kept only for messages. */
export function isVisible(token: Token): boolean {
  return token.kind !== tokenKind.whitespace && token.kind !== tokenKind.comment;
}

/** Names kinds as messages do: `{']', ','}`, or `'('` alone. */
export function describeKinds(kinds: ReadonlySet<TokenKind>): string {
  const names = [...kinds]
    .sort((left, right) => left - right)
    .map((kind) => classNames.get(kind) ?? `'${fixedTexts[kind] ?? ''}'`);
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}

/** The text of a token that recovery makes up: cel-go's runtime knows names of fixed texts only. */
export function missingText(kind: TokenKind): string {
  if (kind === tokenKind.endOfInput) return '<missing EOF>';
  const text = fixedTexts[kind];
  return text === undefined ? '<missing undefined>' : `<missing '${text}'>`;
}

/** Quotes source text in a message, with line breaks and tabs made visible. */
export function quoteText(text: string): string {
  const visible = text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `'${visible}'`;
}
