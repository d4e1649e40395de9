/** Whether evaluation must stop; called between expressions and regularly in long loops. */
export type IsInterrupted = () => boolean;

// INVARIANT: set only while `interruptedBy` runs, and evaluation is synchronous.
let current: IsInterrupted | undefined;

/**
 * Evaluates until it is interrupted: expressions that are under way then, and those after them, end with an error, as
 * kube-apiserver's do when the time of a request is up (its evaluations get the context of the request).
 */
export function interruptedBy<Result>(check: IsInterrupted, run: () => Result): Result {
  const before = current;
  current = check;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** Whether the current evaluation may be interrupted. */
export function isInterruptible(): boolean {
  return current !== undefined;
}

/** Whether evaluation was interrupted. */
export function isInterrupted(): boolean {
  return current?.() === true;
}

/** The error of an evaluation that was interrupted. */
export const interruptedText = 'operation interrupted: its time is up';
