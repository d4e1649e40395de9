import { quoteCodePointInAscii, readJson } from '@kubeadmit/go';
import { JmesPathSyntaxError, syntaxError } from './syntax-error.ts';
import type { Token, TokenKind } from './token.ts';

const singles: Readonly<Record<string, TokenKind>> = {
  '.': 'tDot',
  '*': 'tStar',
  ',': 'tComma',
  ':': 'tColon',
  '{': 'tLbrace',
  '}': 'tRbrace',
  ']': 'tRbracket',
  '(': 'tLparen',
  ')': 'tRparen',
  '@': 'tCurrent',
};

/** First character: the second one that makes a pair, the pair's kind, the kind without it. */
const pairs: Readonly<Record<string, readonly [string, TokenKind, TokenKind]>> = {
  '|': ['|', 'tOr', 'tPipe'],
  '<': ['=', 'tLTE', 'tLT'],
  '>': ['=', 'tGTE', 'tGT'],
  '!': ['=', 'tNE', 'tNot'],
  '=': ['=', 'tEQ', 'tUnknown'],
  '&': ['&', 'tAnd', 'tExpref'],
};

/** The tokens of a JMESPath expression, the last one being `tEOF`; throws `JmesPathSyntaxError`. */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < expression.length) {
    const character = String.fromCodePoint(expression.codePointAt(at) ?? 0);
    const single = singles[character];
    const pair = pairs[character];
    if (/[A-Za-z_]/.test(character)) {
      const text = /^\w*\u0080?/.exec(expression.slice(at))?.[0] ?? '';
      tokens.push({ kind: 'tUnquotedIdentifier', text });
      at += text.length;
    } else if (single !== undefined) {
      tokens.push({ kind: single, text: character });
      at++;
    } else if (/[-\d]/.test(character)) {
      const text = /^[-\d]\d*/.exec(expression.slice(at))?.[0] ?? '';
      tokens.push({ kind: 'tNumber', text });
      at += text.length;
    } else if (character === '[') {
      const next = expression[at + 1];
      const kind = next === '?' ? 'tFilter' : next === ']' ? 'tFlatten' : 'tLbracket';
      tokens.push({ kind, text: character });
      at += kind === 'tLbracket' ? 1 : 2;
    } else if (pair !== undefined) {
      const double = expression[at + 1] === pair[0];
      tokens.push({ kind: double ? pair[1] : pair[2], text: character });
      at += double ? 2 : 1;
    } else if (character === "'") {
      at = readRawString(expression, at + 1, tokens);
    } else if (character === '"' || character === '`') {
      at = readDelimited(expression, at + 1, character, tokens);
    } else if (/[ \t\n\r]/.test(character)) {
      at++;
    } else {
      throw syntaxError(`Unknown char: ${quoteCodePointInAscii(character.codePointAt(0) ?? 0)}`);
    }
  }
  tokens.push({ kind: 'tEOF', text: '' });
  return tokens;
}

/** Only `\'` is an escape. */
function readRawString(expression: string, start: number, tokens: Token[]): number {
  let at = start;
  let text = '';
  for (;;) {
    const character = expression[at];
    if (character === undefined) throw syntaxError("Unclosed delimiter: '");
    if (character === "'") break;
    const escaped = character === '\\' && expression[at + 1] === "'";
    text += escaped ? "'" : character;
    at += escaped ? 2 : 1;
  }
  tokens.push({ kind: 'tStringLiteral', text });
  return at + 1;
}

function readDelimited(expression: string, start: number, end: string, tokens: Token[]): number {
  let at = start;
  while (at < expression.length && expression[at] !== end) at += expression[at] === '\\' ? 2 : 1;
  if (at >= expression.length) throw syntaxError(`Unclosed delimiter: ${end}`);
  const text = expression.slice(start, at);
  if (end === '`') {
    tokens.push({ kind: 'tJSONLiteral', text: text.replaceAll('\\`', '`') });
  } else {
    const reading = readJson(`"${text}"`);
    if ('error' in reading) throw new JmesPathSyntaxError(reading.error);
    tokens.push({ kind: 'tQuotedIdentifier', text: String(reading.value) });
  }
  return at + 1;
}
