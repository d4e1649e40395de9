/** Adds counts to others of the same names. */
export function addCounts<Name extends string>(
  to: Record<Name, number>,
  more: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(more) as Name[]) to[name] += more[name];
}
