import { encodeUtf8 } from './utf8.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const padding = 0x3d;
const values: ReadonlyMap<number, number> = new Map(
  [...alphabet].map((character, value) => [character.charCodeAt(0), value]),
);

/** Writes bytes in the standard alphabet, padded (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const group = (first << 16) | (second << 8) | third;
    const length = Math.min(bytes.length - at, 3) + 1;
    for (let index = 0; index < 4; index++) {
      text += index < length ? alphabet.charAt((group >> (18 - 6 * index)) & 0x3f) : '=';
    }
  }
  return text;
}

/**
 * Reads the standard alphabet, padded or not, as cel-go's `base64.decode`; line ends are skipped.
 *
 * Gives the offset in UTF-8 of what is wrong, as Go's `base64.CorruptInputError`, for a text that is
 * neither form.
 */
export function decodeBase64(text: string): Uint8Array | { readonly mistake: number } {
  const source = encodeUtf8(text);
  const padded = decode(source, true);
  return padded instanceof Uint8Array ? padded : decode(source, false);
}

function decode(source: Uint8Array, isPadded: boolean): Uint8Array | { readonly mistake: number } {
  const bytes: number[] = [];
  let group = 0;
  let digits = 0;
  let at = 0;
  for (; at < source.length; at++) {
    const code = source[at] ?? 0;
    if (isLineEnd(code)) {
      continue;
    }
    const value = values.get(code);
    if (value === undefined) {
      return code === padding && isPadded
        ? finishPadded(source, at, digits, group, bytes)
        : { mistake: at };
    }
    group = (group << 6) | value;
    digits++;
    if (digits === 4) {
      bytes.push((group >> 16) & 0xff, (group >> 8) & 0xff, group & 0xff);
      group = 0;
      digits = 0;
    }
  }
  if (digits === 0) {
    return Uint8Array.from(bytes);
  }
  if (isPadded || digits === 1) {
    return { mistake: at - digits };
  }
  pushRest(bytes, group, digits);
  return Uint8Array.from(bytes);
}

/** What follows the first padding character, at `at`: another one after two digits, and no more. */
function finishPadded(
  source: Uint8Array,
  at: number,
  digits: number,
  group: number,
  bytes: number[],
): Uint8Array | { readonly mistake: number } {
  if (digits < 2) {
    return { mistake: at };
  }
  let next = skipLineEnds(source, at + 1);
  if (digits === 2) {
    if (source[next] !== padding) {
      return { mistake: next };
    }
    next = skipLineEnds(source, next + 1);
  }
  if (next < source.length) {
    return { mistake: next };
  }
  pushRest(bytes, group, digits);
  return Uint8Array.from(bytes);
}

function pushRest(bytes: number[], group: number, digits: number): void {
  const filled = group << (6 * (4 - digits));
  bytes.push((filled >> 16) & 0xff);
  if (digits === 3) {
    bytes.push((filled >> 8) & 0xff);
  }
}

function skipLineEnds(source: Uint8Array, start: number): number {
  let at = start;
  while (isLineEnd(source[at] ?? 0)) {
    at++;
  }
  return at;
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
