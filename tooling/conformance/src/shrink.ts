import type { Json, JsonObject } from './json.ts';
import { field, isObject, setField } from './json.ts';
import { smallerTexts } from './smaller-texts.ts';

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
