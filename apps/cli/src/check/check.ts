import { Checker, type LoadedCheck, loadCheck, type Report } from '@kubeadmit/check';
import { checkJson } from '../output/check-json.ts';
import { checkText } from '../output/check-text.ts';
import { manyRequests, Progress } from '../output/progress.ts';
import { styleFor } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { casesOf } from './cases.ts';
import { inputExitCode } from './input-exit-code.ts';
import type { CheckOptions } from './options.ts';
import { problemReporter, readCheck } from './prepare.ts';

/**
 * Checks manifests against policies and prints the report on standard output; what is wrong with
 * the inputs goes to standard error.
 */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const prepared = await readCheck(paths, options, terminal, report);
  const { requests } = prepared;
  if (options.output === 'cases') {
    for (const line of casesOf(prepared, options)) await write(terminal.stdout, line);
    return prepared.leftOut.length > 0 ? exitCode.usage : exitCode.success;
  }
  const { kubernetesVersion } = options;
  const loaded = await loadCheck(prepared, { kubernetesVersion, clock: Date.now });
  for (const problem of loaded.refused.problems) report(problem, 'error');
  const checker = new Checker(loaded);
  const progress = new Progress(terminal.stderr, requests.length, manyRequests);
  for (const [index, request] of requests.entries()) {
    progress.show('checking', index, requests.length);
    checker.check(request);
  }
  progress.clear();
  const result = checker.report(prepared, loaded);
  for (const problem of loaded.unsupported) report(problem, 'warning');
  await write(terminal.stdout, reportText(result, options, terminal));
  return inputExitCode(prepared, loaded) ?? verdictCode(result, loaded, options);
}

function reportText(report: Report, { output }: CheckOptions, { stdout, env }: Terminal): string {
  if (output === 'json') return checkJson(report);
  // Where no policy acts, nobody is told of objects that none concerns.
  const isIdle = report.objects.length === 0 || report.policies === 0;
  return isIdle ? '' : checkText(report, styleFor(stdout, env));
}

/** What the verdicts say to scripts. */
function verdictCode(
  { objects, coverage }: Report,
  { unsupported }: LoadedCheck,
  { strict, failOnWarn, failOnAudit, exitZero }: CheckOptions,
): ExitCode {
  if (objects.some(({ isBroken }) => isBroken === true)) return exitCode.usage;
  const failing = new Set([
    ...(failOnWarn === true ? ['warn'] : []),
    ...(failOnAudit === true ? ['audit'] : []),
  ]);
  const isRefused = objects.some(
    ({ allowed, findings }) => !allowed || findings.some(({ verdict }) => failing.has(verdict)),
  );
  if (isRefused) return exitZero === true ? exitCode.success : exitCode.refused;
  const isIdle = Object.values(coverage).some((list) => list.length > 0);
  return unsupported.length > 0 || (strict === true && isIdle) ? exitCode.usage : exitCode.success;
}
