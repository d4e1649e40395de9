import type { LoadedCheck } from '@kubeadmit/check';
import type { CheckSummary } from '../output/check/tally.ts';
import { idleRemarks } from '../output/check/text.ts';
import { printable, styleFor } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal } from '../terminal.ts';
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
  if (isRefused && exitZero !== true) return exitCode.refused;
  const isIdle = strict === true && idleRemarks(coverage).length > 0;
  return unsupported.length > 0 || isIdle ? exitCode.usage : exitCode.success;
}

/** Says what `--strict` makes errors of, whatever of the report is shown. */
export function tellIdle(
  { coverage }: Pick<CheckSummary, 'coverage'>,
  { strict }: Pick<CheckOptions, 'strict'>,
  { stderr, env }: Terminal,
): void {
  if (strict !== true) return;
  const style = styleFor(stderr, env);
  for (const remark of idleRemarks(coverage)) {
    stderr.write(`${style.red('error:')} --strict: ${printable(remark)}\n`);
  }
}
