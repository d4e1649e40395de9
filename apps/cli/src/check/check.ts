import {
  type CheckPlan,
  type LoadedCheck,
  ObjectChecker,
  planCheck,
  prepareCheck,
  type ReportProblem,
  reportFrame,
} from '@kubeadmit/check';
import type { InputProblem } from '@kubeadmit/manifest';
import { arePlaced, type StreamTarget, type TimedObject } from '../output/check/stream.ts';
import { reportStream } from '../output/check/streams.ts';
import { type CheckSummary, countObject, emptyTally } from '../output/check/tally.ts';
import { CheckWriter, streamTargetsOf } from '../output/check/writer.ts';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { keepInputs } from '../output/targets.ts';
import { imagesFor } from '../prepare/image-data.ts';
import { inputExitCode } from '../prepare/input-exit-code.ts';
import type { CheckOptions } from '../prepare/options.ts';
import { pluginRun } from '../prepare/plugins.ts';
import {
  loadPolicies,
  orCommandFailure,
  problemReporter,
  readCheckInputs,
  versionOf,
} from '../prepare/prepare.ts';
import { manyRequests, Progress } from '../process/progress.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Terminal,
  write,
} from '../process/terminal.ts';
import { casesOf } from './cases.ts';
import { failedExpressions } from './failed-expressions.ts';
import { Judge } from './judge.ts';
import { unmatchedReasons } from './unmatched.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { idleErrors, nothingJudgedBy, tellIdle, verdictCode } from './verdict-code.ts';

/** The number of subjects after which results are written and signals are handled. */
const batchSize = 8;

/**
 * Checks manifests against policies and prints the report on standard output. Problems of the
 * inputs go to standard error.
 */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const isForCases = asksForCases(options);
  const reading = { report, mayRelease: !isForCases, withoutPolicies: true };
  const read = await readCheckInputs(paths, options, terminal, reading);
  keepInputs(options.output, read.given, read.settings.unreadable);
  if (isForCases) {
    const prepared = await orCommandFailure(prepareCheck(read.given, read.settings, report));
    for (const line of await casesOf(prepared, options)) {
      await write(terminal.stdout, jsonWithoutCommands(line));
    }
    return prepared.leftOut.length > 0 ? exitCode.usage : exitCode.success;
  }
  const plan = await orCommandFailure(planCheck(read.given, read.settings, report));
  const kubernetesVersion = versionOf(plan, options);
  const targets = streamTargetsOf(options, terminal);
  const plugins = await pluginRun(options.plugins, kubernetesVersion, {
    namespace: options.namespace,
    refusesUnknown: options.strict,
  });
  const { outside } = read;
  const images = await imagesFor(plan.inputs, options, terminal);
  const loaded = await loadPolicies(plan, { kubernetesVersion, plugins, outside, images }, report);
  const parts = { plan, loaded, kubernetesVersion, targets, skipped: read.skipped };
  const summary = await checkSubjects(parts, options, terminal);
  const { leftOut } = summary;
  const advice = [
    ...failedExpressions(plan, loaded, summary.tally.failed),
    ...unmatchedReasons(plan, loaded, summary),
  ];
  for (const problem of advice) report(problem, 'warning');
  tellIdle(summary, options, terminal);
  return inputExitCode({ ...plan, leftOut }, loaded) ?? verdictCode(summary, loaded, options);
}

/**
 * Whether only the requests are printed, without a verdict.
 *
 * @throws CommandFailure if reports are requested as well.
 */
function asksForCases({ output = [] }: CheckOptions): boolean {
  const cases = output.find(({ format }) => format === 'cases');
  if (cases === undefined) return false;
  if (output.length === 1 && cases.file === undefined) return true;
  throw new CommandFailure('-o cases cannot be combined with other formats or a file');
}

/** The parts of a check. */
interface CheckParts {
  readonly plan: CheckPlan;
  readonly loaded: LoadedCheck;
  readonly kubernetesVersion: string | undefined;
  readonly targets: readonly StreamTarget[];
  /** The manifests that were found and not read. */
  readonly skipped: readonly InputProblem[];
}

/** Checks all subjects, writes each result as it arrives, and returns the summary. */
async function checkSubjects(
  { plan, loaded, kubernetesVersion, targets, skipped }: CheckParts,
  options: CheckOptions,
  terminal: Terminal,
): Promise<CheckSummary> {
  const { isSchemaCheck } = plan;
  const head = { ...reportFrame(plan, loaded), isSchemaCheck };
  const streams = targets.map((target) => reportStream({ ...target, ...head }));
  const writer = new CheckWriter(options.output, streams, terminal);
  return untilInterrupted(terminal, writer, async () => {
    const count = plan.inputs.subjects.length;
    const progress = new Progress(terminal, count, manyRequests);
    const write = problemReporter(terminal);
    const checker = new ObjectChecker(loaded, isSchemaCheck);
    const isPlaced = arePlaced(targets);
    const report: ReportProblem = (problem, severity) => {
      progress.clear();
      write(problem, severity);
    };
    const judge = new Judge({ plan, loaded, checker, kubernetesVersion, isPlaced, report });
    const tally = emptyTally();
    for (let from = 0; from < count; from += batchSize) {
      const to = Math.min(from + batchSize, count);
      const objects: TimedObject[] = [];
      for (let index = from; index < to; index++) {
        const judged = judge.judge(index);
        if (judged === undefined) continue;
        countObject(tally, judged.object);
        objects.push(judged);
      }
      await writer.add(objects);
      progress.show('checking', to, count);
      // Signals are only handled between turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
    progress.clear();
    const leftOut = [...plan.leftOut, ...judge.leftOut];
    const coverage = checker.coverage();
    const idle = idleErrors({ coverage, skipped }, options);
    const frame = reportFrame({ ...plan, leftOut }, loaded);
    const nothingJudged = nothingJudgedBy(checker, { ...frame, tally }, options);
    const policyFile = plan.inputs.policies[0]?.file;
    const found = { coverage, skipped, tally, nothingJudged, idle };
    const summary = { ...frame, ...found, policyFile, isSchemaCheck };
    await writer.finish(summary);
    // Rejected policies are listed among the skipped inputs of the report, and have another exit code.
    return { ...summary, leftOut };
  });
}
