import type {
  CheckPlan,
  LoadedCheck,
  ObjectChecker,
  PreparedRequest,
  ReportProblem,
} from '@kubeadmit/check';
import type { InputProblem } from '@kubeadmit/manifest';
import type { TimedObject } from '../output/check/stream.ts';
import { stopwatch } from '../process/stopwatch.ts';
import { FindingLines } from './finding-lines.ts';

/** The context of a judge. */
interface JudgeOptions {
  readonly plan: CheckPlan;
  readonly loaded: LoadedCheck;
  readonly checker: ObjectChecker;
  readonly kubernetesVersion: string | undefined;
  /** Whether a report shows the lines of fields. */
  readonly isPlaced: boolean;
  /** Takes the problems of single subjects. */
  readonly report: ReportProblem;
}

/** Checks the subjects of a plan one after another. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #held: ReadonlySet<unknown>;
  readonly #lines: FindingLines | undefined;
  /** The subjects from which no request could be made. */
  readonly leftOut: InputProblem[] = [];

  constructor(options: JudgeOptions) {
    const { plan, loaded, kubernetesVersion, isPlaced } = options;
    this.#options = options;
    this.#held = new Set(plan.held);
    this.#lines = isPlaced ? new FindingLines(plan, loaded, kubernetesVersion) : undefined;
  }

  /** Checks the subject at an index and releases its object; undefined if no request could be made from it. */
  judge(index: number): TimedObject | undefined {
    const { plan, checker, report } = this.#options;
    // Without the source, whose text would stay in memory.
    const request = plan.requestOf(index, report, ({ source: _, ...problem }) => {
      this.leftOut.push(problem);
    });
    if (request === undefined) return undefined;
    const { object, seconds } = timedCheck(checker, request);
    const located = this.#lines?.locate(object, request) ?? object;
    if (!this.#held.has(request.manifest)) request.manifest.release();
    return { object: located, seconds };
  }
}

/** Checks an object, and returns the result with the time that it took. */
export function timedCheck(checker: ObjectChecker, request: PreparedRequest): TimedObject {
  const seconds = stopwatch();
  const object = checker.check(request);
  return { object, seconds: seconds() };
}
