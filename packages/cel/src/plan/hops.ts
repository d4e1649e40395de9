import { placesOfOne, placesOfTwo, type ReadOne, type ReadTwo } from './places.ts';
import type { Step } from './shared-path.ts';

/** One or two steps on a path, and what goes them. */
export interface Hop {
  readonly read: ReadOne | ReadTwo;
  readonly name: Step;
  /** The second one; what goes one step alone does not look at it. */
  readonly next: Step;
  /** The one from there on. */
  readonly after: Hop | undefined;
}

/**
 * The first of the hops on a path, from where its first `gone` steps have led; `undefined` where that is the end.
 *
 * Engines keep by the place in the code what they learned of the objects that came there, and read several times as fast
 * where those were alike. Through one place for all paths go objects of all kinds, so that the first paths get places
 * of their own, always the same for the same path, and only those after them share one.
 */
export function hopFrom(path: readonly Step[], gone: number): Hop | undefined {
  const name = path[gone];
  if (name === undefined) return undefined;
  const second = path[gone + 1];
  const next = typeof name === 'string' && typeof second === 'string' ? second : '';
  const end = gone + (next === '' ? 1 : 2);
  const text = path.slice(0, end).join('.');
  return {
    read:
      typeof name === 'number' ? readElement : next === '' ? placeOfOne(text) : placeOfTwo(text),
    name,
    next,
    after: hopFrom(path, end),
  };
}

const readElement: ReadOne = (list, index) =>
  Array.isArray(list) ? list[index as number] : undefined;

/** Gives out places; the last one is for all paths for which there is none of their own. */
function placesOf<Read>(places: readonly Read[]): (path: string) => Read {
  const taken = new Map<string, Read>();
  return (path) => {
    const read = taken.get(path) ?? (places[taken.size] as Read);
    if (taken.size < places.length - 1) taken.set(path, read);
    return read;
  };
}

const placeOfOne = placesOf(placesOfOne);
const placeOfTwo = placesOf(placesOfTwo);
