import { smallestOfLength } from '../../text/utf8.ts';

/** The reason why bytes are not UTF-8, and the position. */
export interface BadUtf8 {
  readonly problem: string;
  /** An index of bytes. */
  readonly at: number;
}

/** Returns the first problem that yaml.v2's reader finds in bytes that are not UTF-8, or `undefined`. */
export function findBadUtf8(bytes: Uint8Array): BadUtf8 | undefined {
  for (let at = 0; at < bytes.length; ) {
    const width = widthOf(bytes[at] ?? 0);
    const problem = problemAt(bytes, at, width);
    if (problem !== undefined) return { problem, at };
    at += width;
  }
  return undefined;
}

/** How many bytes a character has that begins with one; 0 where none does. */
export function widthOf(octet: number): number {
  if (octet < 0x80) return 1;
  if (octet >> 5 === 0b110) return 2;
  if (octet >> 4 === 0b1110) return 3;
  return octet >> 3 === 0b11110 ? 4 : 0;
}

function problemAt(bytes: Uint8Array, at: number, width: number): string | undefined {
  if (width === 1) return undefined;
  if (width === 0) return 'invalid leading UTF-8 octet';
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
  let code = (bytes[at] ?? 0) & (0xff >> (width + 1));
  for (const octet of bytes.subarray(at + 1, at + width)) {
    if (octet >> 6 !== 0b10) return 'invalid trailing UTF-8 octet';
    code = code * 64 + (octet & 0x3f);
  }
  if (code < (smallestOfLength[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isSurrogate || code > 0x10ffff ? 'invalid Unicode character' : undefined;
}
