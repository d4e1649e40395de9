const mostRemembered = 256;
const longestRemembered = 128;

/**
 * The same function with a memory of its latest results: policies ask for the same few quantities
 * and versions again and again.
 *
 * INVARIANT: results are never changed.
 */
export function remember<Result>(parse: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) {
      return remembered;
    }
    const result = parse(text);
    if (text.length <= longestRemembered) {
      if (known.size >= mostRemembered) {
        known.clear();
      }
      known.set(text, result);
    }
    return result;
  };
}
