const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes the UTF-8 bytes of a text in base64, with padding (RFC 4648). */
export function base64OfText(text: string): string {
  const bytes = utf8Bytes(text);
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(i, i + 3);
    const missing = Math.max(0, i + 3 - bytes.length);
    const group = (a << 16) | (b << 8) | c;
    for (let place = 0; place < 4 - missing; place++) {
      out += alphabet[(group >> (18 - 6 * place)) & 63];
    }
    out += '='.repeat(missing);
  }
  return out;
}

function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    } else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63));
      bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return bytes;
}
