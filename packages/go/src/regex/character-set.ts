/** Code points, as pairs of the first and the last of a range, in order and without gaps of zero. */
export type CharacterSet = readonly number[];

const last = 0x10ffff;

/** The set with all code points of the given ranges, which may overlap and be in any order. */
export function characterSet(ranges: readonly number[]): CharacterSet {
  if (ranges.length <= 2) return ranges;
  const pairs: [number, number][] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    pairs.push([ranges[index] ?? 0, ranges[index + 1] ?? 0]);
  }
  const merged: number[] = [];
  for (const [from, to] of pairs.sort(([left], [right]) => left - right)) {
    const before = merged.at(-1);
    if (before !== undefined && from <= before + 1) {
      merged[merged.length - 1] = Math.max(before, to);
    } else {
      merged.push(from, to);
    }
  }
  return merged;
}

/** All code points that are not in the set. */
export function complement(set: CharacterSet): CharacterSet {
  const gaps: number[] = [];
  let from = 0;
  for (let index = 0; index < set.length; index += 2) {
    const start = set[index] ?? 0;
    if (start > from) gaps.push(from, start - 1);
    from = (set[index + 1] ?? last) + 1;
  }
  return from > last ? gaps : [...gaps, from, last];
}

/** Whether some code point is in both sets. */
export function overlap(left: CharacterSet, right: CharacterSet): boolean {
  let [a, b] = [0, 0];
  while (a < left.length && b < right.length) {
    if ((left[a + 1] ?? 0) < (right[b] ?? 0)) {
      a += 2;
    } else if ((right[b + 1] ?? 0) < (left[a] ?? 0)) {
      b += 2;
    } else {
      return true;
    }
  }
  return false;
}

/** Whether all of the first set is in the second. */
export function isWithin(inner: CharacterSet, outer: CharacterSet): boolean {
  return !overlap(inner, complement(outer));
}

/** The set with the other case of every letter; undefined where it is not in ASCII alone. */
export function foldCase(set: CharacterSet): CharacterSet | undefined {
  const folded = [...set];
  for (let index = 0; index < set.length; index += 2) {
    const [from = 0, to = 0] = set.slice(index, index + 2);
    if (to > 0x7f) return undefined;
    for (let code = from; code <= to; code++) {
      const letter = String.fromCharCode(code);
      // Two letters of ASCII have a form outside of it: the sign of Kelvin, and the long s.
      const beyond = /k/i.test(letter) ? '\u212a' : /s/i.test(letter) ? '\u017f' : '';
      for (const other of letter.toLowerCase() + letter.toUpperCase() + beyond) {
        folded.push(other.charCodeAt(0), other.charCodeAt(0));
      }
    }
  }
  return characterSet(folded);
}
