import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { interruptedBy } from '@kubeadmit/cel/unstable-internal';
import type { StepPlace, Steps } from '@kubeadmit/engine/unstable-internal';
import { turns } from './turns.ts';

// How long one request keeps the others waiting at most, except for a single evaluation.
const turnMilliseconds = 5;

// After this time, other requests come first every other time.
const longMilliseconds = 50;

// A single evaluation cannot be suspended: after this time, and then as much processor time, it ends with an error. The
// limit is processor time so that evaluations do not fail on a stalled machine.
const slowMilliseconds = 500;

/** When something began, by `performance.now()`, and the seconds that it took. */
export interface TimedStep {
  readonly start: number;
  readonly seconds: number;
}

/** The start and end of each step of a request; the list of steps is computed on demand. */
export class StepTimes {
  // Alternating starts and ends as plain numbers, since there are some for every policy of every request.
  readonly #marks: number[] = [];
  #waited = 0;

  /** Records a step, by `performance.now()`. */
  add(start: number, end: number): void {
    this.#marks.push(start, end);
  }

  /** The milliseconds spent waiting for other requests. */
  get waited(): number {
    return this.#waited;
  }

  /** Waits for a turn. */
  async wait(turn: Promise<void>): Promise<void> {
    const start = performance.now();
    await turn;
    this.#waited += performance.now() - start;
  }

  /** All steps, in their order. */
  get steps(): readonly TimedStep[] {
    const marks = this.#marks;
    return Array.from({ length: marks.length / 2 }, (_, index) => {
      const start = marks[2 * index] as number;
      return { start, seconds: ((marks[2 * index + 1] as number) - start) / 1000 };
    });
  }
}

/**
 * Runs the steps of a request, and lets other requests run in between.
 *
 * After `deadline`, a time of `performance.now()`, the current evaluation ends and no other begins. `took` receives the
 * time of each policy, and of the work before the first one.
 */
export async function atPace<Result>(
  steps: Steps<Result>,
  deadline: number,
  took: StepTimes,
): Promise<Result> {
  const entering = turns.enter('begun');
  if (entering !== undefined) await took.wait(entering);
  let began = performance.now();
  let last = began;
  // The milliseconds of the current policy until it last paused between two evaluations.
  let before = 0;
  let worked = 0;
  let slowFrom: NodeJS.CpuUsage | undefined;
  const isOver = (): boolean => {
    const now = performance.now();
    if (now > deadline) return true;
    if (now - last < slowMilliseconds) return false;
    slowFrom ??= process.cpuUsage();
    const { user, system } = process.cpuUsage(slowFrom);
    return user + system > slowMilliseconds * 1000;
  };
  const next = (): IteratorResult<StepPlace, Result> => steps.next(last > deadline);
  for (;;) {
    const step = interruptedBy(isOver, next);
    const now = performance.now();
    slowFrom = undefined;
    if (step.value === 'evaluation') {
      before += now - last;
    } else {
      took.add(last - before, now);
      before = 0;
    }
    last = now;
    if (step.done === true) {
      turns.leave(now - began);
      return step.value;
    }
    if (now - began < turnMilliseconds || now > deadline) continue;
    turns.leave(now - began);
    worked += now - began;
    await took.wait(turns.enter(worked < longMilliseconds ? 'begun' : 'long') ?? nextTurn());
    began = performance.now();
    last = began;
  }
}
