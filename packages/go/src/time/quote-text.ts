import { encodeUtf8 } from '../text/utf8.ts';

/** Puts a text into double quotes as Go's package time does: everything but ASCII from the space on byte by byte. */
export function quoteText(text: string): string {
  let quoted = '"';
  for (const byte of encodeUtf8(text)) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${quoted}"`;
}
