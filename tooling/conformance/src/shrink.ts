import { field, isObject, type Json, type JsonObject, setField } from './json.ts';

/** Whether a smaller case still fails like the original one. */
export type StillFails = (input: JsonObject) => Promise<boolean>;

/**
 * The smallest case found by leaving out members and items and by shortening strings, one at a time and
 * for as long as the case still fails. The named members of the case stay.
 */
export async function shrink(
  input: JsonObject,
  kept: readonly string[],
  stillFails: StillFails,
): Promise<JsonObject> {
  let best = input;
  for (let improved = true; improved; ) {
    improved = false;
    for (const candidate of smaller(best)) {
      if (!isObject(candidate) || !kept.every((key) => Object.hasOwn(candidate, key))) continue;
      if (!(await stillFails(candidate))) continue;
      best = candidate;
      improved = true;
      break;
    }
  }
  return best;
}

/** Smaller variants of a value, those that leave out most first. */
function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    if (value.length > 3) {
      const half = Math.floor(value.length / 2);
      yield value.slice(0, half);
      yield value.slice(half);
    }
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries()) {
      for (const variant of smaller(item)) yield value.with(index, variant);
    }
    return;
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    for (const left of keys) yield pick(value, (key) => key !== left);
    for (const changed of keys) {
      for (const variant of smaller(field(value, changed) ?? null)) {
        const copy = pick(value, () => true);
        setField(copy, changed, variant);
        yield copy;
      }
    }
    return;
  }
  if (typeof value === 'string') yield* smallerTexts(value);
}

function pick(object: JsonObject, keep: (key: string) => boolean): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    if (keep(key)) setField(copy, key, field(object, key) as Json);
  }
  return copy;
}

const replacements = ['1', '"a"', 'true', 'null', '[]', 'object.zz', 'x'];

/** How many smaller forms of an expression are worth a question. */
const MOST = 400;

/** How short a text is whose halves say nothing. */
const SHORT = 8;

/** Shorter texts than one, the shortest first: parts of an expression, or halves of any other text. */
function smallerTexts(text: string): readonly string[] {
  const found = new Set<string>();
  if (text.length > SHORT) {
    found.add(text.slice(0, Math.floor(text.length / 2)));
    found.add(text.slice(Math.floor(text.length / 2)));
  }
  for (const [start, end] of groupsOf(text)) {
    const before = /[\w.?]+$/.exec(text.slice(0, start))?.[0] ?? '';
    found.add(text.slice(start, end));
    found.add(text.slice(start + 1, end - 1));
    found.add(text.slice(start - before.length, end));
    found.add(text.slice(0, start - before.length) + text.slice(end));
    for (const replacement of replacements) {
      found.add(text.slice(0, start + 1) + replacement + text.slice(end - 1));
      found.add(text.slice(0, start) + replacement + text.slice(end));
    }
  }
  const parts = text.split(/ (?:&&|\|\||==|!=|[-+*/%<>?:]|<=|>=|in) |, /);
  for (const part of parts.length > 1 ? parts : []) {
    found.add(part);
    for (const replacement of replacements) found.add(text.replace(part, () => replacement));
  }
  return [...found]
    .filter((each) => each.length < text.length && each.trim() !== '')
    .sort((left, right) => left.length - right.length)
    .slice(0, MOST);
}

/** The bounds of everything in brackets. */
function groupsOf(text: string): readonly (readonly [start: number, end: number])[] {
  const groups: [number, number][] = [];
  const open: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if ('([{'.includes(character)) open.push(index);
    if (!')]}'.includes(character)) continue;
    const start = open.pop();
    if (start !== undefined) groups.push([start, index + 1]);
  }
  return groups;
}
