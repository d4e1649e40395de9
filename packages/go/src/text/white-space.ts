// Unicode's White_Space, as Go's unicode.IsSpace. It has U+0085 and not U+FEFF, unlike JavaScript's.
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leadingSpace = new RegExp(`^${space}+`);
const oneSpace = new RegExp(space);

/** Removes white space from both ends as Go's `strings.TrimSpace` does. */
export function trimSpace(text: string): string {
  const rest = text.replace(leadingSpace, '');
  let end = rest.length;
  // Not by an expression for the end, which takes quadratic time for spaces within.
  while (end > 0 && oneSpace.test(rest.charAt(end - 1))) end--;
  return rest.slice(0, end);
}
