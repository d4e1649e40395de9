import { utf8Length } from './code-points.ts';
import { quoteGo } from './quote.ts';

/** The bytes of a string in UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    if (code < 0x80) {
      bytes[at++] = code;
    } else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
      index++;
    }
  }
  return bytes;
}

/** The string of bytes in UTF-8; `undefined` when they are not valid, as Go's `utf8.Valid`. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const { code, length } = decodeAt(bytes, index);
    if (code === -1) {
      return undefined;
    }
    text += String.fromCodePoint(code);
    index += length;
  }
  return text;
}

/** The string of bytes in UTF-8, with U+FFFD for each byte that is not valid. */
export function decodeUtf8Leniently(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const { code, length } = decodeAt(bytes, index);
    text += code === -1 ? '\ufffd' : String.fromCodePoint(code);
    index += length;
  }
  return text;
}

const smallestOfLength = [0, 0, 0x80, 0x800, 0x10000];

/** The code point at a position, or -1 for a byte that begins none, and how many bytes it takes. */
function decodeAt(
  bytes: Uint8Array,
  index: number,
): { readonly code: number; readonly length: number } {
  const first = bytes[index] ?? 0;
  if (first < 0x80) {
    return { code: first, length: 1 };
  }
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  let code = first & (0x7f >> length);
  for (let offset = 1; offset < length; offset++) {
    const next = bytes[index + offset] ?? 0;
    if ((next & 0xc0) !== 0x80) {
      return { code: -1, length: 1 };
    }
    code = (code << 6) | (next & 0x3f);
  }
  const valid =
    first >= 0xc2 &&
    first <= 0xf4 &&
    code >= (smallestOfLength[length] ?? 0) &&
    code <= 0x10ffff &&
    (code & 0x1ff800) !== 0xd800;
  return valid ? { code, length } : { code: -1, length: 1 };
}

/** Puts bytes into double quotes as Go's `%q`: as text, bytes that are not valid UTF-8 as `\\xff`. */
export function quoteGoBytes(bytes: Uint8Array): string {
  let quoted = '';
  for (let index = 0; index < bytes.length; ) {
    const { code, length } = decodeAt(bytes, index);
    quoted +=
      code === -1
        ? `\\x${(bytes[index] ?? 0).toString(16)}`
        : quoteGo(String.fromCodePoint(code)).slice(1, -1);
    index += length;
  }
  return `"${quoted}"`;
}
