import type { Problem } from '../worker/judgement.ts';

/** Returns the same key for equal problems, of which one can come from the check and one from lint. */
export function keyOfProblem({ file, line, message }: Problem): string {
  return JSON.stringify([file, line, message]);
}
