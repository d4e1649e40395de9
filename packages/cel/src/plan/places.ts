import type { Step } from './shared-path.ts';

/** An object or a list, by what it has. */
export type Holder = Readonly<Record<Step, unknown>>;

/** Gives what an object has by a name that nothing inherits; `undefined` where there is nothing, or no plain object. */
export type ReadOne = (holder: Holder, name: Step) => unknown;

/** The same for two names: what is there by the second one in what is there by the first. */
export type ReadTwo = (holder: Holder, name: Step, next: Step) => unknown;

const { prototype } = Object;
const nothing: Holder = {};

// After what was read, when the engine knows the prototype of the holder without asking for it.
function of(holder: Holder, found: unknown): unknown {
  return Object.getPrototypeOf(holder) === prototype ? found : undefined;
}

/** The holder of the next step; all but objects have nothing by names that nothing inherits. */
function from(found: unknown): Holder {
  return (found ?? nothing) as Holder;
}

// Each of these reads on one path. Functions that are made several times of the same text are one place to engines, so
// that each has to stand here by itself.

/** What reads one step. */
export const placesOfOne: readonly ReadOne[] = [
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
  (o, a) => of(o, o[a]),
];

/** What reads two steps. */
export const placesOfTwo: readonly ReadTwo[] = [
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
  (o, a, b) => {
    const p = from(of(o, o[a]));
    return of(p, p[b]);
  },
];
