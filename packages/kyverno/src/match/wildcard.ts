/**
 * Whether a text matches a wildcard pattern: `*` is any number of characters, `?` is exactly one code point.
 *
 * There is no escape and no character class, case counts, and the whole text must match (Kyverno's
 * `ext/wildcard`). Takes time in proportion to the product of both lengths at worst.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (!hasWildcard(pattern)) return pattern === text;
  if (pattern === '*') return true;
  let patternAt = 0;
  let textAt = 0;
  let starAt = -1;
  let retryAt = 0;
  while (textAt < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === '*') {
      starAt = patternAt++;
      retryAt = textAt;
    } else if (wanted === '?') {
      patternAt++;
      textAt += widthAt(text, textAt);
    } else if (wanted !== undefined && wanted === text[textAt]) {
      patternAt++;
      textAt++;
    } else if (starAt >= 0) {
      patternAt = starAt + 1;
      retryAt += widthAt(text, retryAt);
      textAt = retryAt;
    } else {
      return false;
    }
  }
  while (pattern[patternAt] === '*') patternAt++;
  return patternAt === pattern.length;
}

/** Whether a text holds `*` or `?`. */
export function hasWildcard(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 42 || code === 63) return true;
  }
  return false;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
