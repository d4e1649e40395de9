const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes in standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += (alphabet[bits >> 18] ?? '') + (alphabet[(bits >> 12) & 63] ?? '');
    text += b === undefined ? '=' : alphabet[(bits >> 6) & 63];
    text += c === undefined ? '=' : alphabet[bits & 63];
  }
  return text;
}

/** Reads standard base64 with padding as Go does, line breaks skipped; a number is the place of an error. */
export function readBase64(text: string): Uint8Array | number {
  const source = new TextEncoder().encode(text);
  const bytes: number[] = [];
  let digits: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] ?? 0;
    if (isLineBreak(byte)) continue;
    const digit = alphabet.indexOf(String.fromCharCode(byte));
    if (digit >= 0) {
      digits.push(digit);
      if (digits.length < 4) continue;
      bytes.push(...group(digits));
      digits = [];
      continue;
    }
    const problem = byte === padding ? paddingProblem(source, at, digits.length) : at;
    return problem ?? Uint8Array.from([...bytes, ...group(digits)]);
  }
  return digits.length === 0 ? Uint8Array.from(bytes) : source.length - digits.length;
}

const padding = 0x3d;

function isLineBreak(byte: number | undefined): boolean {
  return byte === 10 || byte === 13;
}

/** The place of an error in the padding that begins here, or undefined when all is well. */
function paddingProblem(source: Uint8Array, start: number, digits: number): number | undefined {
  if (digits < 2) return start;
  let at = start + 1;
  if (digits === 2) {
    while (isLineBreak(source[at])) at++;
    if (at === source.length) return source.length;
    if (source[at++] !== padding) return at - 2;
  }
  while (isLineBreak(source[at])) at++;
  return at < source.length ? at : undefined;
}

function group(digits: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = digits;
  const bits = (a << 18) | (b << 12) | (c << 6) | d;
  return [bits >> 16, (bits >> 8) & 255, bits & 255].slice(0, digits.length - 1);
}
