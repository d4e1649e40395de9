import type { InputProblem } from '@kubeadmit/manifest';
import { type MutationReport, PolicyCoverageRecorder } from '@kubeadmit/testing';
import type { TestHost } from '@kubeadmit/testing/other-tools';
import { boundaryOf } from '../input/local/boundary.ts';
import { formatReport } from '../output/formats/formats.ts';
import { problemText } from '../output/problems.ts';
import { plainStyle, printableLine, styleFor } from '../output/style.ts';
import { type OutputTarget, printsAnnotations, writeTargets } from '../output/targets.ts';
import { testReport } from '../output/test-report.ts';
import { imageVerifier } from '../prepare/image-data.ts';
import { pluginRun } from '../prepare/plugins.ts';
import { requireVersion } from '../prepare/prepare.ts';
import { testHost } from '../prepare/test-host.ts';
import { Progress } from '../process/progress.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Terminal,
  write,
} from '../process/terminal.ts';
import type { RunBatch } from './batch.ts';
import { checkCoverageOptions, reportCoverage, wantsCoverage } from './coverage.ts';
import { fileOf, findTests } from './find-tests.ts';
import { loadBatches } from './load-batches.ts';
import { mutatePolicies, survivorsText } from './mutate-policies.ts';
import type { TestOptions } from './options.ts';
import { isBroken, runBatches, selectTests } from './run-batches.ts';
import { summaryText, testText } from './test-text.ts';
import { updateSnapshots } from './update-snapshots.ts';

/** Fewer tests than this take so little time that no progress is shown. */
const manyTests = 200;

/** Runs tests and prints their results. */
export async function test(
  paths: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  checkCoverageOptions(options);
  return (await runTests(paths, options, terminal)).exitCode;
}

/** The result of a run. */
export interface TestRun {
  readonly exitCode: ExitCode;
  readonly results: readonly RunBatch[];
  /** Whether everything could be read. */
  readonly isWhole: boolean;
}

/** Runs tests once: all, or those of the files that are chosen. */
export async function runTests(
  paths: readonly string[],
  options: TestOptions,
  terminal: Terminal,
  {
    host,
    only = () => true,
  }: { readonly host?: TestHost; readonly only?: ((file: string) => boolean) | undefined } = {},
): Promise<TestRun> {
  for (const version of options.kubernetesVersion ?? []) await requireVersion(version);
  const [version] = options.kubernetesVersion ?? [];
  await pluginRun(options.plugins, version);
  const asked = paths.length > 0 ? paths : ['.'];
  const boundary = boundaryOf(asked, options, terminal);
  const found = findTests(asked, options.fileName, boundary);
  const { problems } = found;
  const tests = found.tests.filter((one) => only(fileOf(one)));
  const style = styleFor(terminal.stderr, terminal.env);
  for (const problem of problems) terminal.stderr.write(problemText(problem, 'error', style));
  const nothing = { results: [], isWhole: problems.length === 0 };
  if (problems.length > 0 && tests.length === 0) {
    if (options.list !== true) await writeReport({ results: [], problems }, options, terminal);
    return { ...nothing, exitCode: exitCode.usage };
  }
  if (found.tests.length === 0) {
    throw new CommandFailure(`no tests found (files called *.admit.yaml or ${options.fileName})`);
  }
  const coverage = wantsCoverage(options) ? new PolicyCoverageRecorder() : undefined;
  const reading = host ?? testHost(terminal, boundary);
  const images = await imageVerifier(options, terminal);
  const given = { host: { ...reading, images }, boundary, coverage };
  const batches = await loadBatches(tests, options, given);
  const selected = selectTests(batches, options);
  const isNarrowed = options.run !== undefined || options.shard !== undefined;
  if (tests.length > 0 && batches.length === 0 && !isNarrowed) {
    const files = [...new Set(tests.map(fileOf))].join(', ');
    throw new CommandFailure(
      `no tests to run: ${files} contains no case, or --test-case-selector selects none`,
    );
  }
  const { run } = options;
  if (run !== undefined && selectTests(batches, { run }).length === 0) {
    throw new CommandFailure(
      `no test has a name that matches ${run.source} (--list shows all names)`,
    );
  }
  if (options.list === true) {
    const names = selected.flatMap(({ batch, tests: chosen }) =>
      chosen.map((index) => `${printableLine(String(batch.tests[index]))}\n`),
    );
    await write(terminal.stdout, names.join(''));
    return { ...nothing, exitCode: problems.length > 0 ? exitCode.usage : exitCode.success };
  }
  const progress = new Progress(terminal, selected.flatMap((one) => one.tests).length, manyTests);
  const results = await runBatches(selected, options, progress);
  progress.clear();
  if (options.quiet !== true) {
    for (const { file, message, ...rest } of results.flatMap(({ warnings }) => warnings)) {
      const problem = { ...rest, file, message: `${message} (an error with --strict)` };
      terminal.stderr.write(problemText(problem, 'warning', style));
    }
  }
  if (options.update === true) updateSnapshots(results, problems, boundary);
  const mutations =
    options.mutatePolicies === true ? await mutatePolicies(results, terminal) : undefined;
  await writeReport({ results, mutations, problems }, options, terminal);
  const isCovered =
    coverage === undefined || (await reportCoverage(coverage.result(), options, terminal));
  const entries = results.flatMap((one) => one.entries);
  const isUncaught = mutations !== undefined && mutations.survivors.length > 0;
  const isRefused = !isCovered || isUncaught || entries.some(isBroken);
  const code = isRefused ? exitCode.refused : exitCode.success;
  // Readable tests were run; unreadable ones make the run fail.
  return { ...nothing, results, exitCode: problems.length > 0 ? exitCode.usage : code };
}

interface FinishedRun {
  readonly results: readonly RunBatch[];
  readonly mutations?: MutationReport | undefined;
  /** Unreadable inputs. */
  readonly problems: readonly InputProblem[];
}

async function writeReport(
  run: FinishedRun,
  options: TestOptions,
  terminal: Terminal,
): Promise<void> {
  const render = (target: OutputTarget): string => reportText(run, options, { target, terminal });
  await writeTargets(options.output, render, terminal);
  if (printsAnnotations(options.output) && options.quiet !== true) {
    const entries = run.results.flatMap((one) => one.entries);
    terminal.stderr.write(`${summaryText(entries, plainStyle)}\n`);
  }
}

function reportText(
  { results, mutations, problems }: FinishedRun,
  options: TestOptions,
  {
    target: { format, file },
    terminal,
  }: { readonly target: OutputTarget; readonly terminal: Terminal },
): string {
  const { stdout, env } = terminal;
  const entries = results.flatMap((one) => one.entries);
  const style = file === undefined ? styleFor(stdout, env) : plainStyle;
  const formatted = formatReport(testReport(entries, mutations, problems), format);
  if (formatted !== undefined) return formatted;
  // Unreadable inputs are reported on standard error.
  if (results.length === 0 && problems.length > 0) return '';
  const survivors = mutations === undefined ? '' : survivorsText(mutations, style);
  const brokenFiles = new Set(problems.map(({ file }) => file));
  return testText(results, { ...options, brokenFiles }, style) + survivors;
}
