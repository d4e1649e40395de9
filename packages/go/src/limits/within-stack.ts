/** A value that goes deeper than the runtime's stack reaches: nested too deeply, or containing itself. */
export class NestingError extends TypeError {}

/**
 * Runs a recursive function. Throws {@link NestingError} if the value is nested too deeply, and rethrows other errors.
 */
export function withinStack<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (failure) {
    if (!isStackFailure(failure)) throw failure;
    throw new NestingError('the value is nested too deeply, or contains itself');
  }
}

function isStackFailure(failure: unknown): boolean {
  return (
    failure instanceof Error &&
    /^(?:Range|Internal)Error$/.test(failure.name) &&
    /stack|recursion/.test(failure.message)
  );
}
