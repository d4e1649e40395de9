import type { LoadedCheck } from '@kubeadmit/check';
import {
  type CheckPlan,
  FindingLines,
  ObjectChecker,
  type PreparedRequest,
  type UsedPolicies,
} from '@kubeadmit/check/internal';
import type { InputProblem } from '@kubeadmit/manifest';
import type { ReportStream, TimedObject } from '../output/check/stream.ts';
import { type Tally, tallyOf } from '../output/check/tally.ts';
import { problemText } from '../output/problems.ts';
import type { Style } from '../output/style.ts';
import { stopwatch } from '../stopwatch.ts';

/** The number of subjects that are judged without a pause, and sent to a thread at once. */
export const stretchSize = 8;

/** Some subjects of a check, by their indexes: `to` does not belong to them. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The result of a stretch, in a form that can be sent between threads. */
export interface JudgedStretch extends Stretch {
  /** The part of each output format. */
  readonly parts: readonly unknown[];
  /** The text for standard error. */
  readonly told: string;
  readonly leftOut: readonly InputProblem[];
  readonly used: UsedPolicies;
  readonly tally: Tally;
}

/** The context of a judge. */
export interface JudgeOptions {
  readonly plan: CheckPlan;
  readonly loaded: LoadedCheck;
  readonly streams: readonly ReportStream[];
  readonly kubernetesVersion: string | undefined;
  /** Whether a report shows the lines of fields. */
  readonly isPlaced: boolean;
  /** How problems are written; asked where there is one. */
  readonly style: () => Style;
}

/** Checks the subjects of a plan, a stretch at a time, in any order; objects are let go of when they are judged. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #checker: ObjectChecker;
  readonly #held: ReadonlySet<unknown>;
  readonly #lines: FindingLines | undefined;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#checker = new ObjectChecker(options.loaded, options.plan.isSchemaCheck);
    this.#held = new Set(options.plan.held);
    const { plan, loaded, kubernetesVersion } = options;
    this.#lines = options.isPlaced ? new FindingLines(plan, loaded, kubernetesVersion) : undefined;
  }

  /** Checks a stretch. */
  judge({ from, to }: Stretch): JudgedStretch {
    const { plan, style, streams } = this.#options;
    const told: string[] = [];
    const leftOut: InputProblem[] = [];
    const objects: TimedObject[] = [];
    for (let index = from; index < to; index++) {
      const request = plan.requestOf(
        index,
        (problem, severity) => void told.push(problemText(problem, severity, style())),
        ({ source: _, ...problem }) => void leftOut.push(problem),
      );
      if (request === undefined) continue;
      const timed = timedCheck(this.#checker, request);
      objects.push(this.#lines === undefined ? timed : located(timed, request, this.#lines));
      if (!this.#held.has(request.manifest)) request.manifest.release();
    }
    return {
      from,
      to,
      parts: streams.map((stream) => stream.part(objects)),
      told: told.join(''),
      leftOut,
      used: this.#checker.takeUsed(),
      tally: tallyOf(objects.map(({ object }) => object)),
    };
  }
}

function located(
  { object, seconds }: TimedObject,
  request: PreparedRequest,
  lines: FindingLines,
): TimedObject {
  return { object: lines.locate(object, request), seconds };
}

/** Checks an object, and returns the result with the time that it took. */
export function timedCheck(checker: ObjectChecker, request: PreparedRequest): TimedObject {
  const seconds = stopwatch();
  const object = checker.check(request);
  return { object, seconds: seconds() };
}
