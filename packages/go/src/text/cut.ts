import { byteLength } from './code-points.ts';

/** Splits a text around the first separator (`strings.Cut`). Without a separator the second part is empty. */
export function cut(
  text: string,
  separator: string,
): readonly [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/**
 * Cuts a string after a number of bytes of UTF-8, as Go's `text[:bytes]`.
 *
 * A character that is cut in the middle becomes one U+FFFD per remaining byte, as when Go encodes the rest as JSON.
 *
 * @throws RangeError for a negative number, where Go panics
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
