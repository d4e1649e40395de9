import type { Chain } from '@kubeadmit/chain';
import type { Steps } from '@kubeadmit/engine/unstable-internal';
import type { LiveImages } from '../images/live-images.ts';
import { untilTime } from './deadline.ts';
import { atPace, StepTimes, type TimedStep } from './pace.ts';

/** The result of an evaluation that may have read images. */
export interface ImageEvaluation<Result> {
  readonly result: Result;
  /** The steps of the last evaluation. */
  readonly took: StepTimes;
  /** The waits for registries. */
  readonly waits: readonly TimedStep[];
}

/** The most evaluations that may ask for images; each image of an expression in CEL may need several. */
const mostRounds = 100;

/**
 * Evaluates Kyverno policies, and evaluates them again while parts of registries are missing.
 *
 * Evaluation cannot wait. Reading ends before the deadline, to leave time for the last evaluation. Images that were not
 * read by then are errors of their rules, to which the failure policies apply.
 */
export async function withImages<Result>(
  live: LiveImages | undefined,
  kyverno: Chain['kyverno'],
  evaluateWith: (kyverno: Chain['kyverno']) => Steps<Result>,
  deadline: number,
): Promise<ImageEvaluation<Result>> {
  const request = kyverno === undefined ? undefined : live?.forRequest();
  const images = request?.images;
  const verifying = request === undefined ? kyverno : kyverno?.withImages(request.verifier);
  const evaluate = async (): Promise<Omit<ImageEvaluation<Result>, 'waits'>> => {
    const took = new StepTimes();
    return { result: await atPace(evaluateWith(verifying), deadline, took), took };
  };
  const waits: TimedStep[] = [];
  let evaluation = await evaluate();
  if (images === undefined) return { ...evaluation, waits };
  const now = performance.now();
  const until = deadline - Math.min(1000, (deadline - now) * 0.2);
  for (let round = 1; images.hasOpenQuestions && performance.now() < deadline; round++) {
    const start = performance.now();
    if (round < mostRounds) await images.answer(untilTime(until));
    else images.close(`the rules need more than ${mostRounds} evaluations`);
    waits.push({ start, seconds: (performance.now() - start) / 1000 });
    evaluation = await evaluate();
  }
  return { ...evaluation, waits };
}
