import { availableParallelism } from 'node:os';
import { type LoadedCheck, prepareCheck } from '@kubeadmit/check';
import {
  type CheckPlan,
  ObjectChecker,
  planCheck,
  reportFrame,
  unmatchedReasons,
} from '@kubeadmit/check/internal';
import type { InputProblem } from '@kubeadmit/manifest';
import { arePlaced, type ReportStream } from '../output/check/stream.ts';
import { reportStream } from '../output/check/streams.ts';
import { addTally, type CheckSummary, emptyTally } from '../output/check/tally.ts';
import { CheckWriter, streamTargetsOf } from '../output/check/writer.ts';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { manyRequests, Progress } from '../output/progress.ts';
import { styleFor, takesColours } from '../output/style.ts';
import { keepInputs } from '../output/targets.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { brokenStretch } from './broken-stretch.ts';
import { casesOf } from './cases.ts';
import { inputExitCode } from './input-exit-code.ts';
import { Judge, type JudgedStretch } from './judge.ts';
import type { CheckOptions } from './options.ts';
import {
  loadPolicies,
  orCommandFailure,
  problemReporter,
  readCheckInputs,
  versionOf,
} from './prepare.ts';
import { threadSetup } from './thread-setup.ts';
import { type FailedStretch, ThreadPool } from './threads.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { idleErrors, nothingJudgedBy, tellIdle, verdictCode } from './verdict-code.ts';

/**
 * The remaining seconds from which a second thread is worth its start: it reads and compiles all policies again,
 * and its code has to be optimized again.
 */
const worthAThread = 10;

/** More threads than this would wait for the one that writes. */
const mostThreads = 16;

/**
 * Checks manifests against policies and prints the report on standard output; what is wrong with
 * the inputs goes to standard error.
 *
 * @param thread the file of `check-thread.ts`, by which several threads check many objects; without it one does all.
 */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
  thread?: string,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const isForCases = asksForCases(options);
  const reading = { report, mayRelease: !isForCases, withoutPolicies: true };
  const read = await readCheckInputs(paths, options, terminal, reading);
  keepInputs(options.output, read.given, read.settings.unreadable);
  if (isForCases) {
    const prepared = await orCommandFailure(prepareCheck(read.given, read.settings, report));
    for (const line of casesOf(prepared, options)) {
      await write(terminal.stdout, jsonWithoutCommands(line));
    }
    return prepared.leftOut.length > 0 ? exitCode.usage : exitCode.success;
  }
  const plan = await orCommandFailure(planCheck(read.given, read.settings, report));
  const kubernetesVersion = versionOf(plan, options);
  const targets = streamTargetsOf(options, terminal);
  const loaded = await loadPolicies(plan, { kubernetesVersion }, report);
  const frame = { ...reportFrame(plan, loaded), isSchemaCheck: plan.isSchemaCheck };
  const streams = targets.map((target) => reportStream({ ...target, ...frame }));
  const judge = new Judge({
    plan,
    loaded,
    streams,
    kubernetesVersion,
    isPlaced: arePlaced(targets),
    style: () => styleFor(terminal.stderr, terminal.env),
  });
  const pool = new ThreadPool({
    file: thread ?? '',
    threads: thread === undefined ? () => 1 : threadsFor(options),
    setup: () => {
      const isColoured = takesColours(terminal.stderr, terminal.env);
      return threadSetup(read, plan, { kubernetesVersion, targets, isColoured });
    },
    count: plan.inputs.subjects.length,
    judge: (stretch) => judge.judge(stretch),
  });
  try {
    const { skipped } = read;
    const parts = { plan, loaded, streams, skipped };
    const summary = await tell(pool.answers(), parts, options, terminal);
    const { leftOut } = summary;
    for (const problem of unmatchedReasons(plan, loaded, summary)) report(problem, 'warning');
    tellIdle(summary, options, terminal);
    return inputExitCode({ ...plan, leftOut }, loaded) ?? verdictCode(summary, loaded, options);
  } finally {
    await pool.close();
  }
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

function threadsFor({ workers }: CheckOptions): (secondsLeft: number) => number {
  if (workers !== undefined) return () => workers;
  const most = Math.min(availableParallelism(), mostThreads);
  return (secondsLeft) => Math.min(most, 1 + Math.floor(secondsLeft / worthAThread));
}

/** The parts of a check's report. */
interface Told {
  readonly plan: CheckPlan;
  readonly loaded: LoadedCheck;
  readonly streams: readonly ReportStream[];
  /** The manifests that were found and not read. */
  readonly skipped: readonly InputProblem[];
}

/** Writes the results of the subjects as they arrive, and returns the summary. */
async function tell(
  stretches: AsyncIterable<JudgedStretch | FailedStretch>,
  { plan, loaded, streams, skipped }: Told,
  { output, operation, ...options }: CheckOptions,
  terminal: Terminal,
): Promise<CheckSummary> {
  const writer = new CheckWriter(output, streams, terminal);
  return untilInterrupted(terminal, writer, async () => {
    const leftOut: InputProblem[] = [...plan.leftOut];
    const recorder = new ObjectChecker(loaded);
    const tally = emptyTally();
    const count = plan.inputs.subjects.length;
    const progress = new Progress(terminal, count, manyRequests);
    for await (const each of stretches) {
      const judged = 'failure' in each ? brokenStretch(each, plan, { streams, operation }) : each;
      if (judged.told !== '') {
        progress.clear();
        terminal.stderr.write(judged.told);
      }
      leftOut.push(...judged.leftOut);
      recorder.addUsed(judged.used);
      addTally(tally, judged.tally);
      await writer.add(judged.parts);
      progress.show('checking', judged.to, count);
    }
    progress.clear();
    const coverage = recorder.coverage();
    const idle = idleErrors({ coverage, skipped }, options);
    const frame = reportFrame({ ...plan, leftOut }, loaded);
    const nothingJudged = nothingJudgedBy(recorder, { ...frame, tally }, options);
    const { isSchemaCheck } = plan;
    const summary = {
      ...frame,
      coverage,
      skipped,
      tally,
      nothingJudged,
      idle,
      isSchemaCheck,
    };
    await writer.finish(summary);
    // Rejected policies are listed among the skipped inputs of the report, and have another exit code.
    return { ...summary, leftOut };
  });
}
