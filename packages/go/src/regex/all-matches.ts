/**
 * Finds up to `count` consecutive matches (all, if negative). An empty match right after a match does not count.
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
