import type { Correlation } from '../schema/correlation.ts';

/** The state of a value and its surroundings before an update. */
export interface Ratchet {
  readonly current?: Correlation | undefined;
  readonly parent?: Correlation | undefined;
}

/** The same of an entry of an object. */
export function ratchetKey({ current, parent }: Ratchet, key: string): Ratchet {
  if (!current) return { parent };
  if (!parent && (key === 'apiVersion' || key === 'kind')) return {};
  return { current: current.key(key), parent: current };
}

/** The same of an element of a list. */
export function ratchetIndex({ current, parent }: Ratchet, index: number): Ratchet {
  return current ? { current: current.index(index), parent: current } : { parent };
}

/** Whether nothing changed, so that failures of a rule are tolerated. */
export function isSameAsBefore({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isSame === true;
}
