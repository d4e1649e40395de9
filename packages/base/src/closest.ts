const mostEdits = 2;

/**
 * The name most like a word, if one is: for `did you mean`.
 *
 * @param most how many letters may be wrong in a long word.
 */
export function closest(
  word: string,
  names: Iterable<string>,
  most: number = mostEdits,
): string | undefined {
  let best: string | undefined;
  let least = Math.min(most, Math.floor(word.length / 2)) + 1;
  for (const name of names) {
    const isSame = name.toLowerCase() === word.toLowerCase() || name === plural(word);
    const distance = isSame ? 0 : editDistance(word, name, least);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Returns a plural such as `policies`, which differs from the singular by more letters than a typo. */
function plural(word: string): string {
  return word.replace(/y$/, 'ies');
}

/** Returns ` (did you mean \`x\`?)` for a similar name, and an empty string without one. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : ` (did you mean \`${meant}\`?)`;
}

/** How many letters must be changed, added, removed or swapped; at least `enough` where it is more. */
function editDistance(left: string, right: string, enough: number): number {
  if (Math.abs(left.length - right.length) >= enough) return enough;
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      const swapped =
        i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? enough;
}
