import { encodeUtf8 } from '../text/utf8.ts';
import { binaryText } from './binary-text.ts';

/** The reason why a string is not base64, with Go's message (`base64.CorruptInputError`). */
export interface Base64Error {
  readonly error: string;
}

/** How base64 is written and read. */
export interface Base64Options {
  /** Whether the last group has no padding, as in Go's `base64.RawStdEncoding`. */
  readonly isRaw?: boolean;
  /** Whether the alphabet is that of URLs, with `-` and `_`, as in Go's `base64.URLEncoding`. */
  readonly isUrl?: boolean;
}

const ascii = /^[\0-\x7f]*$/;

/** Encodes bytes, or a string in UTF-8, by default in the standard alphabet with padding (`base64.StdEncoding`). */
export function encodeBase64(data: Uint8Array | string, options: Base64Options = {}): string {
  const padded = options.isUrl === true ? toUrlAlphabet(encode(data)) : encode(data);
  return options.isRaw === true ? padded.replace(/=+$/, '') : padded;
}

function toUrlAlphabet(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

function encode(data: Uint8Array | string): string {
  if (typeof data === 'string') {
    // Characters of one byte are their own bytes.
    return ascii.test(data) ? btoa(data) : encode(encodeUtf8(data));
  }
  return btoa(binaryText(data));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const standardValues = valuesOf(alphabet);
const urlValues = valuesOf(toUrlAlphabet(alphabet));

function valuesOf(characters: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let at = 0; at < characters.length; at++) values[characters.charCodeAt(at)] = at;
  return values;
}

const padding = 0x3d;

/**
 * Decodes base64 as Go's `base64.StdEncoding`, or the encoding that the options name. Line ends are skipped, and
 * unused bits of the last group are ignored. Returns Go's error for invalid input.
 */
export function decodeBase64(text: string, options: Base64Options = {}): Uint8Array | Base64Error {
  const isRaw = options.isRaw === true;
  const values = options.isUrl === true ? urlValues : standardValues;
  const bytes = new Uint8Array(Math.ceil((text.length / 4) * 3));
  let length = 0;
  let group = 0;
  let digits = 0;
  // INVARIANT: all before a mistake is ASCII, so that an offset in UTF-16 units is one in bytes.
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const value = values[code] ?? -1;
    if (value >= 0) {
      group = (group << 6) | value;
      if (++digits < 4) continue;
      bytes[length++] = group >> 16;
      bytes[length++] = group >> 8;
      bytes[length++] = group;
      group = 0;
      digits = 0;
    } else if (!isLineEnd(code)) {
      const mistake = code === padding && !isRaw ? paddingMistake(text, at, digits) : at;
      if (mistake !== undefined) return corrupt(mistake);
      break;
    }
  }
  const isPadded = at < text.length;
  if (!isPadded && digits > 0 && (digits === 1 || !isRaw)) return corrupt(at - digits);
  if (digits >= 2) bytes[length++] = group >> (digits === 2 ? 4 : 10);
  if (digits === 3) bytes[length++] = group >> 2;
  return bytes.subarray(0, length);
}

/** Where the padding that begins here is wrong, if it is: another sign after two digits, and nothing behind it. */
function paddingMistake(text: string, start: number, digits: number): number | undefined {
  if (digits < 2) return start;
  let at = skipLineEnds(text, start + 1);
  if (digits === 2) {
    if (at === text.length) return at;
    if (text.charCodeAt(at) !== padding) return at - 1;
    at = skipLineEnds(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function skipLineEnds(text: string, start: number): number {
  let at = start;
  while (isLineEnd(text.charCodeAt(at))) at++;
  return at;
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function corrupt(offset: number): Base64Error {
  return { error: `illegal base64 data at input byte ${offset}` };
}
