import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WantsTurn } from '@kubeadmit/admission/internal';
import { interruptedBy } from '@kubeadmit/cel/internal';
import type { Steps } from '@kubeadmit/engine/internal';
import { turns } from './turns.ts';

// How long one request keeps the others waiting at most, but for a single policy.
const turnMilliseconds = 5;

// After this time, other requests come first every other time.
const longMilliseconds = 50;

// Evaluation does not yield within an expression: after a quarter of a second, and then as much processor time, it
// ends with an error. The limit is processor time so that expressions do not fail on a stalled machine.
const slowMilliseconds = 250;

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

  /** Takes down a step, by `performance.now()`. */
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
 * From `deadline` on, a time of `performance.now()`, nothing more is evaluated and the current evaluation ends.
 * `took` receives the time of each step: a step ends before each policy, or when it yields without being asked.
 */
export async function atPace<Result>(
  start: (wantsTurn: WantsTurn) => Steps<Result>,
  deadline: number,
  took: StepTimes,
): Promise<Result> {
  const entering = turns.enter('begun');
  if (entering !== undefined) await took.wait(entering);
  let last = performance.now();
  let began = last;
  // The milliseconds that the current step took before it yielded.
  let before = 0;
  let isLate = began > deadline;
  // A step that ends by yielding was recorded by the preceding question.
  let wasAsked = false;
  const takeDown = (): number => {
    const now = performance.now();
    took.add(last - before, now);
    before = 0;
    last = now;
    return now;
  };
  const wantsTurn: WantsTurn = (where) => {
    const now = where === 'before' ? takeDown() : performance.now();
    isLate ||= now > deadline;
    wasAsked = isLate || now - began >= turnMilliseconds;
    if (wasAsked && where === 'within') {
      before += now - last;
      last = now;
    }
    return wasAsked;
  };
  let worked = 0;
  let slowFrom: NodeJS.CpuUsage | undefined;
  const isOver = (): boolean => {
    const now = performance.now();
    if (now > deadline) return true;
    if (now - began < slowMilliseconds) return false;
    slowFrom ??= process.cpuUsage();
    const { user, system } = process.cpuUsage(slowFrom);
    return user + system > slowMilliseconds * 1000;
  };
  const steps = start(wantsTurn);
  const goOn = (): IteratorResult<undefined, Result> => steps.next(isLate);
  for (;;) {
    const step = interruptedBy(isOver, goOn);
    if (step.done === true) {
      turns.leave(takeDown() - began);
      return step.value;
    }
    const now = wasAsked ? last : takeDown();
    wasAsked = false;
    isLate ||= now > deadline;
    if (now - began < turnMilliseconds || isLate) continue;
    turns.leave(now - began);
    worked += now - began;
    await took.wait(turns.enter(worked < longMilliseconds ? 'begun' : 'long') ?? nextTurn());
    began = performance.now();
    slowFrom = undefined;
    last = began;
    isLate = began > deadline;
  }
}
