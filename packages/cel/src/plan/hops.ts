import { placesOfOne, placesOfTwo, type ReadOne, type ReadTwo } from './places.ts';
import type { Step } from './shared-path.ts';

/** One or two steps on a path, and what goes them. */
export interface Hop {
  readonly read: ReadOne | ReadTwo;
  readonly name: Step;
  /** The second one; what goes one step alone does not look at it. */
  readonly next: Step;
}

/**
 * The hops on a path, from where its first `gone` steps have led.
 *
 * Engines keep by the place in the code what they learned of the objects that came there, and read several times as fast
 * where those were alike. Through one place for all paths go objects of all kinds, so that the first paths get places
 * of their own, always the same for the same path, and only those after them share one.
 */
export function hopsOf(path: readonly Step[], gone: number): readonly Hop[] {
  const hops: Hop[] = [];
  let index = gone;
  while (index < path.length) {
    const name = path[index++] as Step;
    const next = path[index];
    if (typeof name === 'string' && typeof next === 'string') {
      index++;
      hops.push({ read: placeOfTwo(path.slice(0, index)), name, next });
    } else {
      const read = typeof name === 'number' ? readElement : placeOfOne(path.slice(0, index));
      hops.push({ read, name, next: '' });
    }
  }
  return hops;
}

const readElement: ReadOne = (list, index) =>
  Array.isArray(list) ? list[index as number] : undefined;

/** Gives out places; the last one is for all paths for which there is none of their own. */
function placesOf<Read>(places: readonly Read[]): (path: readonly Step[]) => Read {
  const taken = new Map<string, Read>();
  return (path) => {
    const text = path.join('.');
    const read = taken.get(text) ?? (places[taken.size] as Read);
    if (taken.size < places.length - 1) taken.set(text, read);
    return read;
  };
}

const placeOfOne = placesOf(placesOfOne);
const placeOfTwo = placesOf(placesOfTwo);
