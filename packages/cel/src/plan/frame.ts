import type { Expression } from '../syntax/expression.ts';
import { CelError, type Value } from '../values/value.ts';

/** One evaluation: its variables, its costs and what may end it. */
export class Frame {
  /** Variables of the environment by the plan's slot; `undefined` where there is no value. */
  readonly slots: (Value | undefined)[];
  readonly limit: number;
  /** Called with every value that a watched expression has. */
  readonly watch: Watch | undefined;
  cost = 0;
  private readonly isCancelled: (() => boolean) | undefined;
  private iterations = 0;

  constructor(
    slots: (Value | undefined)[],
    limit: number,
    isCancelled: (() => boolean) | undefined,
    watch: Watch | undefined,
  ) {
    this.slots = slots;
    this.limit = limit;
    this.isCancelled = isCancelled;
    this.watch = watch;
  }

  /** Whether nobody watches or can cancel, so that the frame can serve another evaluation. */
  get isPlain(): boolean {
    return this.isCancelled === undefined && this.watch === undefined;
  }

  /** Adds the cost of one step. Throws {@link Cancelled} beyond the limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) {
      throw new Cancelled('operation cancelled: actual cost limit exceeded');
    }
  }

  /** Adds the costs of as many steps, each of which costs 1. */
  chargeSteps(steps: number): void {
    this.cost += steps;
    if (this.cost > this.limit) {
      this.cost = this.limit + 1;
      throw new Cancelled('operation cancelled: actual cost limit exceeded');
    }
  }

  /** Counts a round of a comprehension. Throws {@link Cancelled} once it was cancelled. */
  countIteration(): void {
    if (++this.iterations % checkFrequency === 0 && this.isCancelled?.() === true) {
      throw new Cancelled('operation interrupted: context canceled');
    }
  }
}

// Kubernetes' celconfig.CheckFrequency.
const checkFrequency = 100;

/** Takes the value that an expression has just got. */
export type Watch = (expression: Expression, value: Value) => void;

/** Ends an evaluation at once: nothing absorbs it. */
export class Cancelled extends Error {}

/** A planned expression: gives its value, which may be a `CelError`. */
export type Evaluate = (frame: Frame) => Value;

/** Whether evaluation went wrong. */
export function isError(value: Value): value is CelError {
  return typeof value === 'object' && value instanceof CelError;
}
