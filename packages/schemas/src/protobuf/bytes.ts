import { encodeBytes, utf8 } from '../decode/base64.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits: ReadonlyMap<string, number> = new Map(
  [...alphabet].map((character, index) => [character, index]),
);

/** The UTF-8 bytes of a text. */
export function bytesOfText(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    if (point < 0x80) bytes.push(point);
    else bytes.push(...utf8(point));
  }
  return Uint8Array.from(bytes);
}

/** The bytes of a canonical base64 text. */
export function bytesOfBase64(text: string): Uint8Array {
  const length = text.replace(/=+$/, '').length;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let written = 0;
  for (let at = 0; at < length; at++) {
    bits = ((bits << 6) | (digits.get(text[at] as string) ?? 0)) & 0xffffff;
    if (at % 4 !== 0) bytes[written++] = (bits >> (6 - 2 * (at % 4))) & 0xff;
  }
  return bytes;
}

/** The canonical base64 text of bytes. */
export function base64OfBytes(bytes: Uint8Array): string {
  return encodeBytes([...bytes]);
}
