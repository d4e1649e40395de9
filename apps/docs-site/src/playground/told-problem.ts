import type { Problem } from '../worker/judgement.ts';

/** What two problems have alike that say the same: one of the check, and one of lint. */
export function keyOfProblem({ file, line, message }: Problem): string {
  return JSON.stringify([file, line, message]);
}
