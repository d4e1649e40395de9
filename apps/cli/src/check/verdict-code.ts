import type { LoadedCheck } from '@kubeadmit/check';
import type { CheckSummary } from '../output/check/tally.ts';
import { type ExitCode, exitCode } from '../terminal.ts';
import type { CheckOptions } from './options.ts';

/** What the verdicts say to scripts. */
export function verdictCode(
  { tally, coverage }: Pick<CheckSummary, 'tally' | 'coverage'>,
  { unsupported }: LoadedCheck,
  {
    strict,
    failOnWarn,
    failOnAudit,
    exitZero,
  }: Pick<CheckOptions, 'strict' | 'failOnWarn' | 'failOnAudit' | 'exitZero'>,
): ExitCode {
  if (tally.broken > 0) return exitCode.usage;
  const isRefused =
    tally.denied > 0 ||
    (failOnWarn === true && tally.verdicts.warn > 0) ||
    (failOnAudit === true && tally.verdicts.audit > 0);
  if (isRefused) return exitZero === true ? exitCode.success : exitCode.refused;
  const isIdle = Object.values(coverage).some((list) => list.length > 0);
  return unsupported.length > 0 || (strict === true && isIdle) ? exitCode.usage : exitCode.success;
}
