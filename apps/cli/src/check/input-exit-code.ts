import type { LoadedCheck, PreparedCheck } from '@kubeadmit/check';
import { type ExitCode, exitCode } from '../terminal.ts';

/**
 * What the inputs say to scripts, whatever policies say of the rest: something could not be used, or a server would
 * refuse a policy; undefined when nothing is wrong with them.
 */
export function inputExitCode(
  { leftOut, refusedFields }: Pick<PreparedCheck, 'leftOut' | 'refusedFields'>,
  { refused }: LoadedCheck,
): ExitCode | undefined {
  if (leftOut.length > 0) return exitCode.usage;
  if (refused.policies || refusedFields.length > 0) return exitCode.invalidPolicy;
  return refused.problems.length > 0 ? exitCode.usage : undefined;
}
