import { type JsonObject, parseJson, printJson } from '@kubeadmit/conformance-tools';

/** Patterns for parts of answers that depend on the internals of Go, with their replacements. */
const innerWorkings: readonly (readonly [RegExp, string])[] = [
  // The address of a function.
  [/NamedFormat\(\{(\w+) 0x\w+ \d+\}\)/g, 'NamedFormat($1)'],
  // Type variables are numbered in the order of a map.
  [/_var\d+/g, '_var'],
  // Texts of Go panics are free but for their prefix.
  [/"error":"internal error: (?:[^"\\]|\\.)*"/g, '"error":"internal error"'],
];

/** An answer to an expression without what depends on how Go works inside. */
export function withoutInnerWorkings({ id: _, ...answer }: JsonObject): JsonObject {
  const text = innerWorkings.reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
    printJson(answer),
  );
  const compared = parseJson(text) as JsonObject;
  return typeof compared['cost'] === 'bigint' ? { ...compared, cost: 'beyond 2^53' } : compared;
}
