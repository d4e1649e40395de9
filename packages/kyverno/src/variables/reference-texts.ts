/**
 * Returns the references in a text, such as `$(./../name)`, each with the character before it, which escapes a reference
 * if it is a backslash (Kyverno's `RegexReferences`): `^\$\(.[^ ]*\)|[^\\]\$\(.[^ ]*\)`.
 *
 * The regular expression itself would take time with the square of the number of references that are not closed.
 */
export function referencesIn(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  let word: Word = { end: -1, lastClose: -1 };
  for (let open = text.indexOf('$('); open !== -1; open = text.indexOf('$(', open + 1)) {
    const start = open === 0 ? 0 : open - 1;
    const first = text.charAt(open + 2);
    if (start < from || (open > 0 && text[start] === '\\') || !/^.$/.test(first)) continue;
    // The rest of a reference ends with the last parenthesis before a space.
    if (word.end < open + 3) word = wordFrom(text, open + 3);
    if (word.lastClose < open + 3) continue;
    found.push(text.slice(start, word.lastClose + 1));
    from = word.lastClose + 1;
  }
  return found;
}

/** The place of the space that ends a word, and of the last closing parenthesis before it. */
interface Word {
  readonly end: number;
  readonly lastClose: number;
}

function wordFrom(text: string, from: number): Word {
  const space = text.indexOf(' ', from);
  const end = space === -1 ? text.length : space;
  return { end, lastClose: text.lastIndexOf(')', end - 1) };
}

/** Returns the escaped references in a text, with their backslashes: `\\\$\(.[^ )]*\)`. */
export function escapedReferencesIn(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  let stop = -1;
  for (
    let at = text.indexOf('\\$(');
    at !== -1;
    at = text.indexOf('\\$(', Math.max(at + 1, from))
  ) {
    if (!/^.$/.test(text.charAt(at + 3))) continue;
    if (stop < at + 4) stop = stopAfter(text, at + 4);
    if (text[stop] !== ')') continue;
    found.push(text.slice(at, stop + 1));
    from = stop + 1;
  }
  return found;
}

/** The place of the next space or closing parenthesis; the length of the text if there is none. */
function stopAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === ' ' || text[at] === ')') return at;
  }
  return text.length;
}
