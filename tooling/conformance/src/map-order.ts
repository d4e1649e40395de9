import { isObject, type Json, type JsonObject, printJson, setField } from './json.ts';

// Go iterates over maps in random order, so these texts list their items in any order.

/** Lists on one line, after the words before them. */
const listed = /(?<=may not mutate atomic arrays, maps or structs: ).*/g;

/** Lists with a line for each entry: those that are indented, and the names of types that are not as expected. */
const lines = [
  /(?<=errors:\n)(?: {2}.*(?:\n|$))+/g,
  /(?<=type mismatch: )unexpected type name .*(?:\nunexpected type name .*)*/g,
];

/** A value in whose texts the lists in the order of a Go map are sorted. */
export function withoutMapOrder(value: Json): Json {
  if (typeof value === 'string') return sortedText(value);
  if (Array.isArray(value)) return value.map(withoutMapOrder);
  return isObject(value) ? withMembers(value, withoutMapOrder) : value;
}

/** Returns an answer with sorted lists, so that answers can be compared regardless of list order. */
export function inAnyOrder(answer: JsonObject): JsonObject {
  return withMembers(answer, ordered);
}

function ordered(value: Json): Json {
  if (isObject(value)) return withMembers(value, ordered);
  if (!Array.isArray(value)) return value;
  return value.map(ordered).sort((one, other) => (printJson(one) < printJson(other) ? -1 : 1));
}

function withMembers(object: JsonObject, change: (value: Json) => Json): JsonObject {
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(object)) setField(copy, key, change(member));
  return copy;
}

function sortedText(text: string): string {
  const sorted = text.replaceAll(listed, (list) => list.split(', ').sort().join(', '));
  return lines.reduce(
    (rest, pattern) => rest.replaceAll(pattern, (list) => list.split('\n').sort().join('\n')),
    sorted,
  );
}
