import { codePointCount } from '@kubeadmit/go';
import type { Expression } from '../syntax/expression.ts';
import { CelError, type Value } from '../values/value.ts';
import { interruptedText, isInterrupted } from './interruption.ts';

/** One evaluation: its variables, its costs and what may end it. */
export class Frame {
  /** Variables of the environment by the plan's slot; `undefined` where there is no value. */
  readonly slots: (Value | undefined)[];
  limit: number;
  /** Called with every value that a observed expression has. */
  readonly observe: Observe | undefined;
  /** Whether nobody watches or can cancel, so that the frame can serve another evaluation. */
  readonly isPlain: boolean;
  /** Whether an evaluation is under way that uses it. */
  isBusy = false;
  cost = 0;
  readonly #isCancelled: (() => boolean) | undefined;
  #iterations = 0;
  #joined = '';
  #joinedSize = 0;

  constructor(
    slots: number,
    limit: number,
    isCancelled: (() => boolean) | undefined,
    observe: Observe | undefined,
  ) {
    // Without holes, which would make every reading slower.
    this.slots = [];
    for (let slot = 0; slot < slots; slot++) this.slots.push(undefined);
    this.limit = limit;
    this.#isCancelled = isCancelled;
    this.observe = observe;
    this.isPlain = isCancelled === undefined && observe === undefined;
  }

  /** Adds the cost of one step. Throws {@link Cancelled} beyond the limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) {
      throw new Cancelled('operation cancelled: actual cost limit exceeded');
    }
  }

  /** Takes the cost of one step back; below nothing it wraps, as cel-go's unsigned number does. */
  takeBack(): void {
    this.charge(this.cost === 0 ? mostCost : -1);
  }

  /** Adds the costs of as many steps, each of which costs 1. */
  chargeSteps(steps: number): void {
    this.cost += steps;
    if (this.cost > this.limit) {
      this.cost = this.limit + 1;
      throw new Cancelled('operation cancelled: actual cost limit exceeded');
    }
  }

  /** The code points of a text; those of the text joined last are known without looking at it. */
  sizeOfText(text: string): number {
    return text === this.#joined ? this.#joinedSize : codePointCount(text);
  }

  /** Keeps how many code points a joined text has, so that joining more to it takes no second look. */
  keepTextSize(text: string, size: number): void {
    this.#joined = text;
    this.#joinedSize = size;
  }

  /** Forgets what comes from the data, for the next evaluation. */
  clear(): void {
    const { slots } = this;
    for (let index = 0; index < slots.length; index++) slots[index] = undefined;
    this.#joined = '';
    this.#joinedSize = 0;
    this.cost = 0;
    this.isBusy = false;
  }

  /** Counts a round of a comprehension. Throws {@link Cancelled} once it was cancelled or interrupted. */
  countIteration(): void {
    if (++this.#iterations % checkFrequency !== 0) return;
    if (this.#isCancelled?.()) throw new Cancelled('operation interrupted: context canceled');
    if (isInterrupted()) throw new Cancelled(interruptedText);
  }
}

// The nearest number to the largest of 64 bits.
const mostCost = 2 ** 64;

// Kubernetes' celconfig.CheckFrequency.
const checkFrequency = 100;

/** Takes the value that an expression has just got. */
export type Observe = (expression: Expression, value: Value) => void;

/** Ends an evaluation at once: nothing absorbs it. */
export class Cancelled extends Error {}

/** A planned expression: gives its value, which may be a `CelError`. */
export type Evaluate = (frame: Frame) => Value;

/** Whether evaluation went wrong. */
export function isError(value: Value): value is CelError {
  return typeof value === 'object' && value instanceof CelError;
}
