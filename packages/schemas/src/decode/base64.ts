const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits: ReadonlyMap<string, number> = new Map(
  [...alphabet].map((character, index) => [character, index]),
);

/**
 * Checks base64 as Go's `base64.StdEncoding` decodes it (line breaks are skipped) and gives its canonical text, or the
 * offset of the byte that is wrong.
 */
export function canonicalBase64(text: string): string | number {
  let canonical = '';
  for (let at = 0; at < text.length; ) {
    let group = '';
    while (group.length < 4) {
      if (at === text.length) {
        if (group === '') return canonical;
        return at - group.length;
      }
      const character = text[at++] as string;
      if (digits.has(character)) {
        group += character;
      } else if (character !== '\n' && character !== '\r') {
        if (character !== '=' || group.length < 2) return at - 1;
        return wrongPadding(text, at, group.length) ?? canonical + pad(group);
      }
    }
    canonical += group;
  }
  return canonical;
}

/** Where the padding is wrong, if it is; its first sign is read already, and nothing may follow it. */
function wrongPadding(text: string, from: number, length: number): number | undefined {
  let at = skipBreaks(text, from);
  if (length === 2) {
    if (text[at] !== '=') return at < text.length ? at - 1 : at;
    at = skipBreaks(text, at + 1);
  }
  return at === text.length ? undefined : at;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}

/** The last group with its unused bits cleared. */
function pad(group: string): string {
  const last = digits.get(group.at(-1) as string) as number;
  const kept = group.length === 2 ? last & 0b110000 : last & 0b111100;
  return (group.slice(0, -1) + alphabet[kept]).padEnd(4, '=');
}

/** The base64 of a text's UTF-8 bytes; unpaired surrogates become U+FFFD. */
export function encodeText(text: string): string {
  return encodeBytes([...text].flatMap((character) => utf8(character.codePointAt(0) as number)));
}

/** The UTF-8 bytes of a code point; unpaired surrogates become U+FFFD. */
export function utf8(point: number): number[] {
  const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
  const low = [0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  if (code < 0x10000) return [0xe0 | (code >> 12), ...low];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), ...low];
}

/** The base64 of bytes. */
export function encodeBytes(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(at, at + 3);
    const group = (a << 16) | (b << 8) | c;
    for (const shift of [18, 12, 6, 0]) text += alphabet[(group >> shift) & 63];
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return text.slice(0, text.length - missing) + '='.repeat(missing);
}
