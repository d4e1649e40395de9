import { type Characters, codes, isBlank, isBreak, isSpaceOrEnd } from './characters.ts';
import { FoldedText } from './folded-text.ts';

/** The characters that escapes represent. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** How many hexadecimal digits follow a character behind a backslash. */
const digitsBehind: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads a scalar in quotes, of which the first one is here. */
export function scanQuoted(characters: Characters, quote: '"' | "'"): string {
  const text = new FoldedText();
  characters.skip();
  for (;;) {
    characters.require(4);
    if (characters.isDocumentMark('-') || characters.isDocumentMark('.')) {
      throw characters.broken('found unexpected document indicator');
    }
    if (characters.code() === codes.end) throw characters.broken('found unexpected end of stream');
    scanWord(characters, quote, text);
    if (characters.is(quote)) break;
    scanSpace(characters, text);
  }
  text.add('');
  characters.skip();
  return text.value;
}

/** Reads up to the next space, the end of a line or the closing quote. */
function scanWord(characters: Characters, quote: '"' | "'", text: FoldedText): void {
  while (!isSpaceOrEnd(characters.code())) {
    const isEscape = characters.is(quote === '"' ? '\\' : quote);
    if (!isEscape) {
      if (characters.is(quote)) return;
      text.add(scanPart(characters, quote));
    } else if (quote === "'") {
      if (!characters.is(quote, 1)) return;
      characters.skip(2);
      text.add(quote);
    } else if (isBreak(characters.code(1))) {
      characters.skip();
      characters.skipBreak();
      text.addEscapedBreak();
      return;
    } else {
      text.add(scanEscape(characters));
    }
  }
}

/** Reads characters that mean themselves. */
function scanPart(characters: Characters, quote: string): string {
  const { offset } = characters;
  do characters.skip();
  while (
    !isSpaceOrEnd(characters.code()) &&
    !characters.is(quote) &&
    !(quote === '"' && characters.is('\\'))
  );
  return characters.since(offset);
}

function scanSpace(characters: Characters, text: FoldedText): void {
  for (let code = characters.code(); isBlank(code) || isBreak(code); code = characters.code()) {
    if (isBlank(code)) text.addBlank(characters.take());
    else text.addBreak(characters.skipBreak());
  }
}

function scanEscape(characters: Characters): string {
  const character = String.fromCharCode(characters.code(1));
  const plain = escapes.get(character);
  const length = digitsBehind.get(character);
  if (plain === undefined && length === undefined) {
    throw characters.broken('found unknown escape character');
  }
  characters.skip(2);
  return plain ?? scanCodePoint(characters, length ?? 0);
}

function scanCodePoint(characters: Characters, length: number): string {
  let digits = '';
  while (digits.length < length) {
    const digit = String.fromCharCode(characters.code(digits.length));
    if (!/[\da-fA-F]/.test(digit))
      throw characters.broken('did not find expected hexdecimal number');
    digits += digit;
  }
  const value = Number.parseInt(digits, 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    throw characters.broken('found invalid Unicode character escape code');
  }
  characters.skip(length);
  return String.fromCodePoint(value);
}
