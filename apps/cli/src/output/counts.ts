/** Adds counts to others of the same names. */
export function addCounts<Name extends string>(
  to: Record<Name, number>,
  more: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(more) as Name[]) to[name] += more[name];
}

/** A number with its noun: `1 policy`, `2 policies`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
