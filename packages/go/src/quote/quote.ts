import { decodeAt } from '../text/utf8.ts';
import { isPrintable } from './printable.ts';

// The common case: nothing to escape.
const plain = /^[ !#-[\]-~]*$/;

const namedEscapes: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x5c, '\\\\'],
]);

/**
 * Quotes a string as Go's `strconv.Quote` and its verb `%q` do.
 *
 * Printable characters are kept, others become `\a`, `\x01`, `\u200b` or `\U000e0001`. A lone surrogate is written
 * as U+FFFD, as Go reads it.
 */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escape(character.codePointAt(0) ?? 0, '"');
  return `${quoted}"`;
}

/** Puts bytes into double quotes as Go's `%q`: as text, bytes that are not valid UTF-8 as `\xff`. */
export function quoteBytes(bytes: Uint8Array): string {
  let quoted = '"';
  for (let index = 0; index < bytes.length; ) {
    const { code, length } = decodeAt(bytes, index);
    quoted += code === -1 ? `\\x${hexadecimal(bytes[index] ?? 0, 2)}` : escape(code, '"');
    index += length;
  }
  return `${quoted}"`;
}

/** Puts a code point into single quotes as Go's verb `%q` and `strconv.QuoteRune` do. */
export function quoteCodePoint(code: number): string {
  return `'${escape(code, "'")}'`;
}

/** Puts a code point into single quotes, in ASCII alone, as Go's `strconv.QuoteRuneToASCII` does. */
export function quoteCodePointInAscii(code: number): string {
  const valid = isSurrogate(code) ? 0xfffd : code;
  return `'${valid < 0x80 ? escape(valid, "'") : numberedEscape(valid)}'`;
}

function escape(code: number, delimiter: string): string {
  if (code === delimiter.charCodeAt(0)) return `\\${delimiter}`;
  const named = namedEscapes.get(code);
  if (named !== undefined) return named;
  if (isSurrogate(code)) return '\ufffd';
  return isPrintable(code) ? String.fromCodePoint(code) : numberedEscape(code);
}

function numberedEscape(code: number): string {
  if (code < 0x20 || code === 0x7f) return `\\x${hexadecimal(code, 2)}`;
  return code < 0x10000 ? `\\u${hexadecimal(code, 4)}` : `\\U${hexadecimal(code, 8)}`;
}

function hexadecimal(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
