import type { Step } from './shared-path.ts';

const { prototype } = Object;

/**
 * Reads a field of a plain object or an element of an array.
 *
 * Returns `undefined` if it does not exist, and for objects with another prototype, which need a closer look.
 * INVARIANT: `step` is not a name that plain objects inherit (see `isInherited`).
 */
export function readStep(holder: object, step: Step): unknown {
  if (typeof step === 'number') return Array.isArray(holder) ? holder[step] : undefined;
  const found = (holder as Readonly<Record<string, unknown>>)[step];
  return Object.getPrototypeOf(holder) === prototype ? found : undefined;
}
