import type { LoadedCheck, PreparedCheck } from '@kubeadmit/check';
import { type ExitCode, exitCode } from '../process/terminal.ts';

/**
 * Returns the exit code for problems of the inputs: unreadable ones, or policies that a server would reject;
 * `undefined` without problems.
 */
export function inputExitCode(
  { leftOut, refusedFields }: Pick<PreparedCheck, 'leftOut' | 'refusedFields'>,
  { refused }: LoadedCheck,
): ExitCode | undefined {
  if (leftOut.length > 0) return exitCode.usage;
  if (refused.policies || refusedFields.length > 0) return exitCode.invalidPolicy;
  return refused.problems.length > 0 ? exitCode.usage : undefined;
}
