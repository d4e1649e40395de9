/**
 * Removes characters from the start of a text, as Go's `strings.TrimLeft`.
 *
 * A regular expression such as `/0+$/` takes time with the square of a long run inside of the text.
 *
 * @param characters those that are removed, each one UTF-16 unit
 */
export function trimLeft(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** Removes characters from the end of a text, as Go's `strings.TrimRight`; see {@link trimLeft}. */
export function trimRight(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
