import { checkJson } from '../output/check-json.ts';
import { checkText } from '../output/check-text.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { casesOf } from './cases.ts';
import type { CheckOptions } from './options.ts';
import { prepareCheck, type ReportProblem } from './prepare.ts';

/**
 * Checks manifests against policies and prints the report on standard output; what is wrong with
 * the inputs goes to standard error.
 */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const style = styleFor(terminal.stderr, terminal.env);
  const report: ReportProblem = (problem, severity) => {
    terminal.stderr.write(problemText(problem, severity, style));
  };
  const prepared = await prepareCheck(paths, options, terminal, report);
  if (prepared === undefined) return exitCode.usage;
  if (options.output === 'cases') {
    for (const line of casesOf(prepared, options)) await write(terminal.stdout, line);
    return exitCode.success;
  }
  const { runCheck } = await import('./run.ts');
  const result = await runCheck(prepared, options.kubernetesVersion, terminal);
  if (result.type === 'refused') {
    for (const problem of result.problems) report(problem, 'error');
    return result.policies ? exitCode.invalidPolicy : exitCode.usage;
  }
  const text =
    options.output === 'json'
      ? checkJson(result.report)
      : checkText(result.report, styleFor(terminal.stdout, terminal.env));
  for (const problem of result.unsupported) report(problem, 'warning');
  await write(terminal.stdout, text);
  const { objects } = result.report;
  if (objects.some(({ failure }) => failure !== undefined)) return exitCode.usage;
  if (objects.some(({ allowed }) => !allowed)) return exitCode.refused;
  return result.unsupported.length > 0 ? exitCode.usage : exitCode.success;
}
