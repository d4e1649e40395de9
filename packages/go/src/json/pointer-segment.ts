/** A key as a segment of a JSON pointer (RFC 6901): `a/b~c` is `a~1b~0c`. */
export function escapePointerSegment(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** The key that a segment of a JSON pointer stands for. */
export function unescapePointerSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}
