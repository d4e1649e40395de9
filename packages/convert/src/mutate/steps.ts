import { always } from '../cel/term.ts';
import { type Operation, patchExpression, patternOf } from './operations.ts';

/** Operations of one mutation: their expressions see the object as it was before any of them. */
export interface Step {
  readonly operations: readonly Operation[];
  /** Patterns of the lists of which indexes change. */
  readonly reordered: readonly string[];
}

/** Combines steps into as few mutations as possible: a step that depends on another one comes in a later mutation. */
export function mutationExpressions(steps: readonly Step[]): readonly string[] {
  const groups: Step[] = [];
  for (const step of steps) {
    if (step.operations.length === 0) continue;
    const last = groups.at(-1);
    if (last === undefined || !isIndependent(last, step)) groups.push(step);
    else groups.splice(-1, 1, joined(last, step));
  }
  return groups.map(({ operations }) => patchExpression(operations));
}

/** Whether steps can be one, so that both see the object as it was. */
export function isIndependent(one: Step, other: Step): boolean {
  return !touches(one, other) && !touches(other, one);
}

/** Two steps as one. */
export function joined(one: Step, other: Step): Step {
  return {
    operations: [...one.operations, ...other.operations],
    reordered: [...one.reordered, ...other.reordered],
  };
}

function touches(one: Step, other: Step): boolean {
  // Steps that add a value only if it is absent depend on each other: the second finds the value of the first.
  const made = one.operations
    .filter(({ op, test }) => op === 'add' && test.text !== always.text)
    .map(({ path }) => patternOf(path));
  return [...one.reordered, ...made].some((place) =>
    other.operations.some(({ path }) => `${patternOf(path)}/`.startsWith(`${place}/`)),
  );
}
