const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encodes a string in UTF-8; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8. Returns `undefined` if the bytes are invalid (Go's `utf8.Valid`). */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of bytes in UTF-8, with U+FFFD for each byte that is not valid, as Go walks over a string. */
export function decodeUtf8Leniently(bytes: Uint8Array): string {
  const valid = decodeUtf8(bytes);
  if (valid !== undefined) return valid;
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const { code, length } = decodeAt(bytes, index);
    text += code === -1 ? '\ufffd' : String.fromCodePoint(code);
    index += length;
  }
  return text;
}

/** The least code point of those that take so many bytes. */
export const smallestOfLength: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

/** The code point at a position, or -1 for a byte that begins none, and how many bytes it takes. */
export function decodeAt(
  bytes: Uint8Array,
  index: number,
): { readonly code: number; readonly length: number } {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return { code: first, length: 1 };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  let code = first & (0x7f >> length);
  for (let offset = 1; offset < length; offset++) {
    const next = bytes[index + offset] ?? 0;
    if ((next & 0xc0) !== 0x80) return { code: -1, length: 1 };
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
