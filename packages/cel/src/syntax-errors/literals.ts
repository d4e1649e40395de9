import { type Token, tokenKind } from './token.ts';

const escapedCodePoint = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[\s\S])/g;

function integer(text: string): bigint {
  const digits = text.replace(/[uU]$/, '');
  return BigInt(digits.startsWith('0x') ? digits : digits.replace(/^0+(?=[0-9])/, ''));
}

function stringProblem(text: string, bytes: boolean): string | undefined {
  if (/^[bB]?[rR]/.test(text)) return undefined;
  for (const [sequence = '', , four, eight] of text.matchAll(escapedCodePoint)) {
    if (bytes && /^\\[uU]/.test(sequence)) return 'unable to unescape string';
    const codePoint = Number.parseInt(four ?? eight ?? '0', 16);
    const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
    if (surrogate || codePoint > 0x10ffff) return 'invalid unicode code point';
  }
  return undefined;
}

/**
 * Returns the problem of a literal's value, with cel-go's message (parser/parser.go and parser/unescape.go);
 * `undefined` for valid literals and other tokens.
 */
export function literalProblem(token: Token, negative: boolean): string | undefined {
  switch (token.kind) {
    case tokenKind.int:
      return integer(token.text) <= (negative ? 2n ** 63n : 2n ** 63n - 1n)
        ? undefined
        : 'invalid int literal';
    case tokenKind.uint:
      return integer(token.text) < 2n ** 64n ? undefined : 'invalid uint literal';
    case tokenKind.double:
      return Number.isFinite(Number(token.text)) ? undefined : 'invalid double literal';
    case tokenKind.string:
      return stringProblem(token.text, false);
    case tokenKind.bytes:
      return stringProblem(token.text, true);
    default:
      return undefined;
  }
}
