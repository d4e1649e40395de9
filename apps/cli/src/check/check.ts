import {
  type CheckedObject,
  Checker,
  type LoadedCheck,
  loadCheck,
  type Report,
} from '@kubeadmit/check';
import { checkReport } from '../output/check-report.ts';
import { checkText } from '../output/check-text.ts';
import { formatReport } from '../output/formats/formats.ts';
import { policyReportFormat } from '../output/formats/policy-report.ts';
import { manyRequests, Progress } from '../output/progress.ts';
import { plainStyle, styleFor } from '../output/style.ts';
import { type OutputTarget, writeTargets } from '../output/targets.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { casesOf } from './cases.ts';
import { inputExitCode } from './input-exit-code.ts';
import type { CheckOptions } from './options.ts';
import { problemReporter, readCheck, versionOf } from './prepare.ts';

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
  if (asksForCases(options)) {
    for (const line of casesOf(prepared, options)) await write(terminal.stdout, line);
    return prepared.leftOut.length > 0 ? exitCode.usage : exitCode.success;
  }
  const kubernetesVersion = versionOf(prepared, options);
  const loaded = await loadCheck(prepared, { kubernetesVersion, clock: Date.now });
  for (const problem of loaded.refused.problems) report(problem, 'error');
  const checker = new Checker(loaded);
  const seconds = new Map<CheckedObject, number>();
  const progress = new Progress(terminal.stderr, requests.length, manyRequests);
  for (const [index, request] of requests.entries()) {
    progress.show('checking', index, requests.length);
    const start = performance.now();
    const object = checker.check(request);
    seconds.set(object, (performance.now() - start) / 1000);
  }
  progress.clear();
  const result = checker.report(prepared, loaded);
  for (const problem of loaded.unsupported) report(problem, 'warning');
  await writeReport(result, { ...options, seconds }, terminal);
  return inputExitCode(prepared, loaded) ?? verdictCode(result, loaded, options);
}

/** How long objects took, in seconds; only some formats tell. */
interface Durations {
  readonly seconds?: ReadonlyMap<CheckedObject, number>;
}

/** Writes the report of a check in all formats that are asked for. */
export async function writeReport(
  report: Report,
  options: Pick<CheckOptions, 'output' | 'quiet'> & Durations,
  terminal: Terminal,
): Promise<void> {
  const render = (target: OutputTarget): string =>
    reportText(report, { ...options, target }, terminal);
  await writeTargets(options.output, render, terminal);
}

/**
 * Whether the requests are wanted, and nothing is to be decided about them.
 *
 * @throws CommandFailure where reports are wanted besides.
 */
function asksForCases({ output = [] }: CheckOptions): boolean {
  const cases = output.find(({ format }) => format === 'cases');
  if (cases === undefined) return false;
  if (output.length === 1 && cases.file === undefined) return true;
  throw new CommandFailure('-o cases stands by itself, and writes to standard output');
}

function reportText(
  report: Report,
  {
    target: { format, file },
    quiet = false,
    seconds = new Map(),
  }: Pick<CheckOptions, 'quiet'> & Durations & { readonly target: OutputTarget },
  { stdout, env }: Terminal,
): string {
  const known = formatReport(checkReport(report, seconds), format);
  if (known !== undefined) return known;
  if (format === 'policyreport') return policyReportFormat(report);
  // Where no policy acts, nobody is told of objects that none concerns.
  const isIdle = report.objects.length === 0 || report.policies === 0;
  const style = file === undefined ? styleFor(stdout, env) : plainStyle;
  return isIdle ? '' : checkText(report, style, { quiet });
}

/** What the verdicts say to scripts. */
export function verdictCode(
  { objects, coverage }: Report,
  { unsupported }: LoadedCheck,
  {
    strict,
    failOnWarn,
    failOnAudit,
    exitZero,
  }: Pick<CheckOptions, 'strict' | 'failOnWarn' | 'failOnAudit' | 'exitZero'>,
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
