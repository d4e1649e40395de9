/** A key of a map, or a position in a list, that is known when planning. */
export type Step = string | number;

/**
 * A path of constant steps from a variable, and the two slots that share an intermediate value with other paths:
 * one for the variable's value, one for the value found.
 */
export interface SharedPath {
  readonly variable: number;
  readonly steps: readonly Step[];
  /** The slots of another path, and how many steps they save; 0 for none. */
  readonly usedSlots: number;
  readonly usedSteps: number;
  /** The own slots, and after how many steps they are set; 0 for none. */
  keptSlots: number;
  keptSteps: number;
}

/** The paths of an expression, in the order in which they are planned. */
export interface SharedPaths {
  readonly paths: SharedPath[];
  /** The variables of the loops around. */
  readonly locals: readonly unknown[];
  /** How many slots are taken. */
  slots: number;
}

const mostPaths = 64;

/**
 * Makes a path that goes as far as it can where an earlier one has been; `most` is how many steps it
 * may leave to that.
 *
 * INVARIANT: data does not change during an evaluation, so that the same value leads to the same.
 */
export function sharePath(
  planning: SharedPaths,
  variable: number,
  steps: readonly Step[],
  most: number,
): SharedPath {
  let usedSteps = 0;
  let source: SharedPath | undefined;
  for (const earlier of planning.paths) {
    const common = earlier.variable === variable ? commonSteps(earlier.steps, steps, most) : 0;
    const kept = earlier.keptSteps === 0 ? common : earlier.keptSteps;
    if (kept <= common && kept > usedSteps) {
      usedSteps = kept;
      source = earlier;
    }
  }
  if (source !== undefined && source.keptSteps === 0) {
    source.keptSteps = usedSteps;
    source.keptSlots = planning.slots;
    planning.slots += 2;
  }
  const usedSlots = source?.keptSlots ?? 0;
  const path = { variable, steps, usedSlots, usedSteps, keptSlots: 0, keptSteps: 0 };
  if (planning.paths.length < mostPaths) planning.paths.push(path);
  return path;
}

function commonSteps(left: readonly Step[], right: readonly Step[], most: number): number {
  let count = 0;
  while (count < most && count < left.length && left[count] === right[count]) count++;
  return count;
}
