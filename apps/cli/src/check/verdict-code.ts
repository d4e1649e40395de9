import type { LoadedCheck } from '@kubeadmit/check';
import type { CheckSummary } from '../output/check/tally.ts';
import { countsText, idleRemarks, pluginRemarks, skippedRemarks } from '../output/check/text.ts';
import { nothingText } from '../output/left-out.ts';
import { plainStyle, printable, styleFor } from '../output/style.ts';
import { allTargets, printsAnnotations } from '../output/targets.ts';
import type { CheckOptions } from '../prepare/options.ts';
import { type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';

/** The exit code of the verdicts. */
export function verdictCode(
  { tally, idle, nothingJudged }: Pick<CheckSummary, 'tally' | 'idle' | 'nothingJudged'>,
  { unsupported }: LoadedCheck,
  {
    failOnWarn,
    failOnAudit,
    exitZero,
  }: Pick<CheckOptions, 'failOnWarn' | 'failOnAudit' | 'exitZero'>,
): ExitCode {
  if (tally.broken > 0) return exitCode.usage;
  const { verdicts } = tally;
  const isRefused =
    tally.denied > 0 ||
    (failOnWarn === true && tally.outcomes.warned + verdicts.warn + verdicts.ignore > 0) ||
    (failOnAudit === true && tally.audits > 0);
  if (isRefused && exitZero !== true) return exitCode.refused;
  const isIdle = idle.length > 0 || nothingJudged === 'error';
  return unsupported.length > 0 || isIdle ? exitCode.usage : exitCode.success;
}

/**
 * Whether it is an error that no policy judged an object. Undefined if one did, if there are no policies, or if inputs or
 * objects are invalid and the run fails because of them.
 */
export function nothingJudgedBy(
  { hasJudged }: { readonly hasJudged: boolean },
  { policies, leftOut, tally }: Pick<CheckSummary, 'policies' | 'leftOut' | 'tally'>,
  { allowNothing }: Pick<CheckOptions, 'allowNothing'>,
): CheckSummary['nothingJudged'] {
  const { invalid, failed } = tally.outcomes;
  const isFailing = leftOut.length > 0 || invalid + failed === tally.objects;
  if (hasJudged || policies === 0 || isFailing) return undefined;
  return allowNothing === true ? 'warning' : 'error';
}

/** The remarks that `--strict` makes errors of; none without it. */
export function idleErrors(
  { coverage, skipped }: Pick<CheckSummary, 'coverage' | 'skipped'>,
  { strict }: Pick<CheckOptions, 'strict'>,
): readonly string[] {
  return strict === true ? [...skippedRemarks(skipped), ...idleRemarks(coverage)] : [];
}

/**
 * Reports on standard error that no policy judged an object, and which policies, bindings and files did nothing: as
 * errors with `--strict`, or as warnings if the report on standard output does not contain them. If standard output has
 * annotations only, the number of checked objects is written, too.
 */
export function tellIdle(
  summary: CheckSummary,
  { output = [], quiet }: Pick<CheckOptions, 'output' | 'quiet'>,
  { stderr, env }: Terminal,
): void {
  const { idle, coverage, nothingJudged } = summary;
  const style = styleFor(stderr, env);
  if (printsAnnotations(output) && quiet !== true) {
    stderr.write(`${countsText(summary, plainStyle)}\n`);
  }
  if (nothingJudged === 'error') {
    stderr.write(
      `${style.red('error:')} ${nothingText(coverage)} (--allow-nothing accepts this)\n`,
    );
  } else if (nothingJudged === 'warning') {
    stderr.write(`${style.yellow('warning:')} ${nothingText(coverage)}\n`);
  }
  for (const remark of idle) {
    stderr.write(`${style.red('error:')} --strict: ${printable(remark)}\n`);
  }
  const shown = allTargets(output).find(({ file }) => file === undefined)?.format;
  const isTold = shown === 'markdown' || (shown === 'text' && quiet !== true);
  if (isTold) return;
  const remarks = idle.length > 0 ? [] : idleRemarks(coverage);
  for (const remark of [...remarks, ...pluginRemarks(coverage)]) {
    stderr.write(`${style.yellow('warning:')} ${printable(remark)}\n`);
  }
}
