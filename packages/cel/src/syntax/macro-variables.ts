// The arguments of macro calls that declare variables, for readers of calls that are not expanded.

/** By the number of arguments, how many of the first ones are names. */
type Names = Readonly<Record<number, 1 | 2>>;

const overElements: Readonly<Record<string, Names>> = {
  all: { 2: 1, 3: 2 },
  exists: { 2: 1, 3: 2 },
  exists_one: { 2: 1, 3: 2 },
  existsOne: { 3: 2 },
  filter: { 2: 1 },
  map: { 2: 1, 3: 1 },
  transformList: { 3: 2, 4: 2 },
  transformMap: { 3: 2, 4: 2 },
  transformMapEntry: { 3: 2, 4: 2 },
  sortBy: { 2: 1 },
};

const ofOneValue: Readonly<Record<string, Names>> = {
  optMap: { 2: 1 },
  optFlatMap: { 2: 1 },
  bind: { 3: 1 },
};

const names: ReadonlyMap<string, Names> = new Map([
  ...Object.entries(overElements),
  ...Object.entries(ofOneValue),
]);

/** The macros that evaluate their last argument for elements of a list or entries of a map. */
export const loopMacros: ReadonlySet<string> = new Set(Object.keys(overElements));

/** Whether calls of a name may be those of a macro that declares variables: `all`, `optMap`, `bind`. */
export function declaresVariables(name: string): boolean {
  return names.has(name);
}

/**
 * Returns how many leading arguments of a call are names that its macro declares: 1 for `list.all(e, …)`, 2 for
 * `list.all(i, e, …)`, 0 for calls of other functions or with another number of arguments.
 */
export function declaredVariables(macro: string, argumentCount: number): number {
  return names.get(macro)?.[argumentCount] ?? 0;
}
