const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * Quotes a text as Go's verb `%q` does (strconv.Quote).
 *
 * Printable characters stay; others become `\a`, `\x01`, `\u200b` or `\U000e0001`.
 */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text) out += quoteCharacter(character);
  return `${out}"`;
}

function quoteCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  if (printable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/**
 * Writes a value as JSON the way Go's encoding/json does: compact, with `<`, `>`, `&` and the line
 * separators escaped.
 */
export function goJson(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029\b\f]|\\b|\\f/g, (found) => {
    if (found === '\\b' || found === '\\f') return found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The length of a text in bytes of UTF-8, which is what Go's `len` gives. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
}

/**
 * Cuts a text after a number of bytes of UTF-8.
 *
 * A character that is cut in the middle ends as U+FFFD for each byte that is left of it, as when
 * Go encodes the rest as JSON.
 */
export function cutBytes(text: string, bytes: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    const size = byteLength(character);
    if (used + size > bytes) return text.slice(0, end) + '\ufffd'.repeat(bytes - used);
    used += size;
    end += character.length;
  }
  return text;
}

/** Removes white space from both ends as Go's strings.TrimSpace does. */
export function trimSpace(text: string): string {
  return text.replace(
    /^[\t-\r \u0085\u00a0\p{Zs}\u2028\u2029]+|[\t-\r \u0085\u00a0\p{Zs}\u2028\u2029]+$/gu,
    '',
  );
}

/** Orders texts as Go does, by their bytes, which is the order of their code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const bothPlain = (left < 0xd800 || left > 0xdfff) === (right < 0xd800 || right > 0xdfff);
    // Characters beyond U+FFFF are written with surrogates but come after all others.
    if (bothPlain) return left - right;
    return left >= 0xd800 && left <= 0xdfff ? 1 : -1;
  }
  return a.length - b.length;
}
