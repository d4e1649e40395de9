/**
 * Finds up to `limit` consecutive matches (all, if negative). An empty match right after a match does not count.
 */
export function allMatches<Found extends { readonly start: number; readonly end: number }>(
  text: string,
  limit: number,
  next: (from: number) => Found | undefined,
): readonly Found[] {
  const matches: Found[] = [];
  let position = 0;
  let previousEnd = -1;
  while (matches.length !== limit && position <= text.length) {
    const found = next(position);
    if (found === undefined) break;
    const counts = found.end !== position || found.start !== previousEnd;
    if (found.end !== position) position = found.end;
    else position += (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
    previousEnd = found.end;
    if (counts) matches.push(found);
  }
  return matches;
}

/** How many characters a machine may read for consecutive matches, as a multiple of the text. */
const mostReadings = 4;

/**
 * Returns a search for the next match: with a machine until that has read the text several times, and then in linear time.
 *
 * @param stepsOf returns how many characters the machine has read
 * @param find searches with the machine
 * @param linear creates the search in linear time
 */
export function linearSearch<Found>(
  text: string,
  stepsOf: () => number,
  find: (from: number) => Found | undefined,
  linear: () => (from: number) => Found | undefined,
): (from: number) => Found | undefined {
  const most = stepsOf() + mostReadings * text.length;
  let other: ((from: number) => Found | undefined) | undefined;
  return (from) => {
    if (other === undefined && stepsOf() > most) other = linear();
    return (other ?? find)(from);
  };
}
