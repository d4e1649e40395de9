import { getOrMake } from '@kubeadmit/go/internal';
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

/** The ways from somewhere, by the next step and the one after it. */
type Ways = Map<Step, Map<Step, Way>>;

/** What goes a way, and those from its end. */
interface Way {
  readonly read: ReadOne | ReadTwo;
  readonly ways: Ways;
}

/** The ways from what is bound to variables. */
export const bindingWays: Ways = new Map();
/** The ways from elements of lists. */
export const elementWays: Ways = new Map();

/**
 * The first hop on a path, `at` the next step of which is to be gone; `undefined` where none is left.
 *
 * Engines keep by the place in the code what they learned of the objects that came there, and read several times as fast
 * where those were alike. Through one place for all paths go objects of all kinds, so that the first paths get places
 * of their own, always the same for the same path, and only those after them share one.
 */
export function hopFrom(start: Ways, path: readonly Step[], at = 0): Hop | undefined {
  const name = path[at];
  if (name === undefined) return undefined;
  const second = path[at + 1];
  const next = typeof name === 'string' && typeof second === 'string' ? second : '';
  const { read, ways } = wayOf(start, name, next);
  return { read, name, next, after: hopFrom(ways, path, next === '' ? at + 1 : at + 2) };
}

/** The ways from values of CEL, by the names of the variables: of those alone that have places, since names are endless. */
const valueWays: Map<string, Ways> = new Map();

/** What goes the step at a place of a path, and that with the one after it, where there is a place for them alone. */
export interface StepReaders {
  readonly one: ReadOne | undefined;
  readonly two: ReadTwo | undefined;
}

/** What goes the steps from a variable; none goes indexes. */
export function readersOf(variable: string, path: readonly Step[]): readonly StepReaders[] {
  const start: Ways = valueWays.get(variable) ?? new Map();
  let ways = start;
  let pairs = start;
  let isSecond = false;
  const readers = path.map((name, at) => {
    const next = path[at + 1];
    const isName = typeof name === 'string';
    // An empty name says in the ways that the step before it is alone.
    const begins = isName && !isSecond && typeof next === 'string' && next !== '';
    const first = isName ? wayOf(ways, name, '') : undefined;
    const both = begins ? wayOf(pairs, name, next) : undefined;
    isSecond = begins;
    ways = first?.ways ?? ways;
    pairs = both?.ways ?? pairs;
    return {
      one: first?.read === placesOfOne.at(-1) ? undefined : (first?.read as ReadOne | undefined),
      two: both?.read === placesOfTwo.at(-1) ? undefined : (both?.read as ReadTwo | undefined),
    };
  });
  if (start.size > 0) valueWays.set(variable, start);
  return readers;
}

const readElement: ReadOne = (list, index) =>
  Array.isArray(list) ? list[index as number] : undefined;

// What is left for ways that come.
const ones = [...placesOfOne];
const twos = [...placesOfTwo];

/**
 * The way of a step, or of two, from somewhere: the one that is known, or a new one while there are places. The last
 * places are for all paths for which there are none of their own; indexes need none.
 */
function wayOf(start: Ways, name: Step, next: Step): Way {
  if (typeof name === 'number') return { read: readElement, ways: start };
  const found = start.get(name)?.get(next);
  if (found !== undefined) return found;
  const places: (ReadOne | ReadTwo)[] = next === '' ? ones : twos;
  const read = places[0] as ReadOne | ReadTwo;
  if (places.length === 1) return { read, ways: start };
  places.shift();
  const way = { read, ways: new Map() };
  getOrMake(start, name, () => new Map()).set(next, way);
  return way;
}
