import { codePointCount } from '@kubeadmit/go';
import type { Expression } from '../syntax/expression.ts';
import { noOverload } from '../values/no-overload.ts';
import { CelError, type Value } from '../values/value.ts';
import type { Bindings } from './bindings.ts';

/** One evaluation: its variables, its costs and its limits. */
export class Frame {
  /** Variables of the environment by the plan's slot; `undefined` where there is no value. */
  readonly slots: (Value | undefined)[];
  /** The values of variables, for readers that bypass the slots. */
  bindings: Bindings | undefined = undefined;
  /** The last value that was found to be convertible with everything in it, so that it is not inspected twice. */
  known: unknown = undefined;
  /** The cost beyond which evaluation ends; changed by {@link setLimit}. */
  costLimit: number = Number.POSITIVE_INFINITY;
  /** Whether costs are counted; without it no limit applies. */
  readonly countsCosts: boolean;
  /** Called with every value that a observed expression has. */
  readonly observe: Observe | undefined;
  /** Whether an evaluation is in progress that uses it. */
  isBusy = false;
  cost = 0;
  readonly #isCancelled: (() => boolean) | undefined;
  #iterations = 0;
  // The cost at which a closer look is taken: comparing small integers takes the least time.
  #bound = mostSmall;
  #joined = '';
  #joinedSize = 0;

  constructor(
    slots: number,
    countsCosts: boolean,
    costLimit: number = Number.POSITIVE_INFINITY,
    isCancelled?: () => boolean,
    observe?: Observe,
  ) {
    // Without holes, which would make every reading slower.
    this.slots = [];
    for (let slot = 0; slot < slots; slot++) this.slots.push(undefined);
    this.countsCosts = countsCosts;
    this.#isCancelled = isCancelled;
    this.observe = observe;
    if (costLimit !== this.costLimit) this.setLimit(costLimit);
  }

  /** Sets the cost at which evaluation ends. Throws a `TypeError` for an invalid cost. */
  setLimit(costLimit: number): void {
    if (typeof costLimit !== 'number' || Number.isNaN(costLimit)) {
      throw new TypeError('`costLimit` must be a number');
    }
    if (!this.countsCosts) throw new TypeError('`costLimit` needs counted costs');
    this.costLimit = costLimit;
    this.#bound = Math.min(costLimit, mostSmall);
  }

  /** Adds the cost of one step. Throws {@link Cancelled} beyond the limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#bound) this.#exceed(false);
  }

  /** Takes the cost of one step back; below nothing it wraps, as cel-go's unsigned number does. */
  takeBack(): void {
    this.charge(this.cost === 0 ? mostCost : -1);
  }

  /** Adds the costs of as many steps, each of which costs 1. */
  chargeSteps(steps: number): void {
    this.cost += steps;
    if (this.cost > this.#bound) this.#exceed(true);
  }

  // A separate method, so that V8 inlines charging.
  #exceed(bySteps: boolean): void {
    const limit = this.costLimit;
    this.#bound = limit;
    if (this.cost <= limit) return;
    if (bySteps) this.cost = limit + 1;
    throw new Cancelled('operation cancelled: actual cost limit exceeded');
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

  /** Clears values of the data before the next evaluation. */
  clear(): void {
    const { slots } = this;
    for (let index = 0; index < slots.length; index++) slots[index] = undefined;
    if (this.bindings !== undefined) this.bindings = this.known = undefined;
    if (this.#joinedSize > 0) this.keepTextSize('', 0);
    this.cost = 0;
    this.isBusy = false;
  }

  /** Counts a round of a comprehension. Throws {@link Cancelled} once it was cancelled or interrupted. */
  countIteration(): void {
    if (this.#isCancelled === undefined && !isInterruptible()) return;
    if (++this.#iterations === checkFrequency) this.#check();
  }

  #check(): void {
    this.#iterations = 0;
    if (this.#isCancelled?.()) throw new Cancelled('operation interrupted: context canceled');
    if (isInterrupted()) throw new Cancelled(interruptedText);
  }
}

// The largest number that every JavaScript engine stores as a small integer.
const mostSmall = 2 ** 30 - 1;

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

/** Returns the error of a value in a wrong position: the value itself if it is an error. */
export function errorOf(value: Value): CelError {
  return isError(value) ? value : noOverload();
}

/** Whether evaluation must stop; called between expressions and regularly in long loops. */
export type IsInterrupted = () => boolean;

// INVARIANT: set only while `interruptedBy` runs, and evaluation is synchronous.
let current: IsInterrupted | undefined;

/**
 * Evaluates until it is interrupted: expressions that are in progress then, and those after them, end with an error, as
 * kube-apiserver's do when the time of a request is up (its evaluations get the context of the request).
 */
export function interruptedBy<Result>(check: IsInterrupted, run: () => Result): Result {
  const before = current;
  current = check;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** Whether the current evaluation may be interrupted. */
function isInterruptible(): boolean {
  return current !== undefined;
}

/** Whether evaluation was interrupted. */
export function isInterrupted(): boolean {
  return current?.() === true;
}

/** The error of an evaluation that was interrupted. */
export const interruptedText = 'operation interrupted: its time is up';
