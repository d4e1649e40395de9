/**
 * The same function with a memory of its latest results: policies ask for the same few quantities
 * and versions again and again.
 *
 * Texts of more than `longest` units are not remembered, and all are forgotten when there are `most` of them.
 *
 * INVARIANT: results are never changed.
 */
export function memoize<Result>(
  parse: (text: string) => Result,
  longest: number = 128,
  most: number = 256,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined || known.has(text)) return remembered as Result;
    const result = parse(text);
    if (text.length <= longest) {
      if (known.size >= most) known.clear();
      known.set(text, result);
    }
    return result;
  };
}

/** Returns a function that creates its result on first use. `make` must not return undefined. */
export function lazily<Result>(make: () => Result): () => Result {
  let made: Result | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
