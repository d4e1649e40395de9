import { checkObjects, loadCheck, reportOf } from '@kubeadmit/check';
import { checkJson } from '../output/check-json.ts';
import { checkText } from '../output/check-text.ts';
import { manyRequests, Progress } from '../output/progress.ts';
import { styleFor } from '../output/style.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { casesOf } from './cases.ts';
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
  if (prepared === undefined) return exitCode.usage;
  const { requests } = prepared;
  if (options.output === 'cases') {
    for (const line of casesOf(prepared, options)) await write(terminal.stdout, line);
    return exitCode.success;
  }
  const { kubernetesVersion } = options;
  const loaded = await loadCheck(prepared, { kubernetesVersion, clock: Date.now });
  if (loaded.type === 'refused') {
    for (const problem of loaded.problems) report(problem, 'error');
    return loaded.policies ? exitCode.invalidPolicy : exitCode.usage;
  }
  const progress = new Progress(terminal.stderr, requests.length, manyRequests);
  const objects = [];
  for (const object of checkObjects(loaded, requests)) {
    progress.show('checking', objects.length, requests.length);
    objects.push(object);
  }
  progress.clear();
  const result = reportOf(prepared, objects);
  const text =
    options.output === 'json'
      ? checkJson(result)
      : checkText(result, styleFor(terminal.stdout, terminal.env));
  for (const problem of loaded.unsupported) report(problem, 'warning');
  await write(terminal.stdout, text);
  if (objects.some(({ failure }) => failure !== undefined)) return exitCode.usage;
  if (objects.some(({ allowed }) => !allowed)) return exitCode.refused;
  return loaded.unsupported.length > 0 ? exitCode.usage : exitCode.success;
}
