import type { LoadedCheck } from '@kubeadmit/check';
import type { CheckSummary } from '../output/check/tally.ts';
import { idleRemarks } from '../output/check/text.ts';
import { printable, styleFor } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal } from '../terminal.ts';
import type { CheckOptions } from './options.ts';

/** What the verdicts say to scripts. */
export function verdictCode(
  { tally, idle }: Pick<CheckSummary, 'tally' | 'idle'>,
  { unsupported }: LoadedCheck,
  {
    failOnWarn,
    failOnAudit,
    exitZero,
  }: Pick<CheckOptions, 'failOnWarn' | 'failOnAudit' | 'exitZero'>,
): ExitCode {
  if (tally.broken > 0) return exitCode.usage;
  const isRefused =
    tally.denied > 0 ||
    (failOnWarn === true && tally.verdicts.warn > 0) ||
    (failOnAudit === true && tally.verdicts.audit > 0);
  if (isRefused && exitZero !== true) return exitCode.refused;
  return unsupported.length > 0 || idle.length > 0 ? exitCode.usage : exitCode.success;
}

/** What did nothing, or was assumed, where that is an error (`--strict`). */
export function idleErrors(
  coverage: CheckSummary['coverage'],
  { strict }: Pick<CheckOptions, 'strict'>,
): readonly string[] {
  return strict === true ? idleRemarks(coverage) : [];
}

/**
 * Says what `--strict` makes errors of, whatever of the report is shown; without it, why policies were perhaps not asked,
 * where no report for people tells.
 */
export function tellIdle(
  { idle, coverage }: Pick<CheckSummary, 'idle' | 'coverage'>,
  { output = [{ format: 'text' }], quiet }: Pick<CheckOptions, 'output' | 'quiet'>,
  { stderr, env }: Terminal,
): void {
  const style = styleFor(stderr, env);
  for (const remark of idle) {
    stderr.write(`${style.red('error:')} --strict: ${printable(remark)}\n`);
  }
  const isTold = quiet !== true && output.some(({ format }) => format === 'text');
  if (isTold || idle.length > 0) return;
  const { bindingsWithoutParameters, assumedNamespaces } = coverage;
  const nothing = { unusedPolicies: [], unusedBindings: [] };
  for (const remark of idleRemarks({ ...nothing, bindingsWithoutParameters, assumedNamespaces })) {
    stderr.write(`${style.yellow('warning:')} ${printable(remark)}\n`);
  }
}
