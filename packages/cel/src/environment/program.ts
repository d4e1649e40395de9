import {
  type Bindings,
  gather,
  looksPlain,
  type PlainBindings,
  readBinding,
} from '../plan/bindings.ts';
import { Cancelled, type Evaluate, Frame, type Observe } from '../plan/frame.ts';
import { isInherited } from '../plan/inherited.ts';
import type { Bind } from '../plan/path.ts';
import type { PlannedExpression } from '../plan/planner.ts';
import { formatHostLimit, reasonOf } from '../values/host-limit.ts';
import { UnhashableKey } from '../values/map.ts';
import { forgetCounted } from '../values/maps.ts';
import { enterData, type GoFormOf } from '../values/origin.ts';
import { toJsOrError } from '../values/to-js.ts';
import { dynType, type Type } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';

/** The limits of one evaluation. */
export interface EvaluateOptions {
  /** The cost beyond which evaluation ends with an error; without limit unless said otherwise. */
  readonly costLimit?: number;
  /** Asked every now and then in long loops; evaluation ends with an error once it says true. */
  readonly isCancelled?: () => boolean;
  /** Gets the value of every expression within; needs a program planned with `observe`. */
  readonly observe?: Observe;
}

/** The result of an evaluation. */
export interface Evaluation {
  /** The value, or the error. */
  readonly value: Value;
  /** The cost, in cel-go's units. */
  readonly cost: number;
}

/** An expression ready to be evaluated, any number of times. */
export class Program {
  /** The static type of the result. */
  readonly type: Type;
  /** The variables that the expression reads. */
  readonly variables: readonly string[];
  /** Where the variables are kept that are read before evaluation; empty where data of the host is bound. */
  readonly #places: readonly number[];
  readonly #readsBindings: boolean;
  /** Absent where variables have to be read with care: one has the name of something that objects inherit. */
  readonly #bind: Bind | undefined;
  readonly #run: Evaluate;
  readonly #spare: Frame;

  constructor(planned: PlannedExpression, type: Type | undefined) {
    this.variables = [...planned.variables.keys()];
    this.#readsBindings = planned.readsBindings;
    this.#places = planned.readsBindings ? [] : [...planned.variables.values()];
    this.#bind =
      planned.readsBindings || this.variables.some(isInherited) ? undefined : planned.bind;
    this.#run = planned.evaluate;
    this.type = type ?? dynType;
    this.#spare = new Frame(planned.slots, planned.countsCosts);
  }

  /**
   * Evaluates. Never throws; a failure is a `CelError` as the value.
   *
   * @param formOf for hosts that hold data as values of Go, not of JSON: in which form a list or map of it is
   */
  evaluate(
    bindings: Bindings = noBindings,
    options: EvaluateOptions = noOptions,
    formOf?: GoFormOf,
  ): Evaluation {
    if (typeof bindings === 'object' ? bindings === null : typeof bindings !== 'function') {
      throw new TypeError('variables are bound by an object of values by name, or a function');
    }
    const frame = this.#takeFrame(options);
    // An evaluation nested in another one has its own data, and must not see the other one's Go forms.
    const outer = formOf === undefined ? undefined : enterData(formOf);
    let isBound = false;
    let value: Value;
    // All of it here, since a call takes as long as the shortest expressions do.
    try {
      if (this.#bind === undefined || typeof bindings === 'function') {
        this.#bindWithCare(frame, bindings);
      } else {
        this.#bind(frame.slots, bindings);
      }
      isBound = true;
      value = this.#run(frame);
    } catch (failure) {
      // Retry after a getter or proxy threw.
      if (!isBound) this.#bindWithCare(frame, bindings);
      value = isBound ? failureValue(failure) : this.#evaluate(frame);
    }
    forgetCounted();
    if (formOf !== undefined) enterData(outer);
    const { cost } = frame;
    if (frame === this.#spare) frame.clear();
    return { value, cost };
  }

  /** The result for a plain object as a value of JavaScript; the `CelError` of an evaluation that failed. */
  evaluateToJs(bindings: PlainBindings): unknown {
    const frame = this.#spare;
    if (frame.isBusy || !this.#readsBindings) return toJsOrError(this.evaluate(bindings).value);
    frame.isBusy = true;
    frame.bindings = bindings;
    const value = this.#evaluate(frame);
    const isKnown = value === frame.known;
    frame.clear();
    return typeof value !== 'object' || isKnown ? value : toJsOrError(value);
  }

  #evaluate(frame: Frame): Value {
    let value: Value;
    try {
      value = this.#run(frame);
    } catch (failure) {
      value = failureValue(failure);
    }
    forgetCounted();
    return value;
  }

  #bindWithCare(frame: Frame, bindings: Bindings): void {
    if (this.#readsBindings) {
      frame.bindings = looksPlain(bindings) ? bindings : gather(bindings, this.variables);
    }
    const { variables } = this;
    const places = this.#places;
    for (let index = 0; index < places.length; index++) {
      frame.slots[places[index] as number] = readBinding(bindings, variables[index] as string);
    }
  }

  // Frames without anything special are used again and again; one that is in use, by an evaluation
  // that this one is part of, is not there to be taken.
  #takeFrame({
    costLimit = Number.POSITIVE_INFINITY,
    isCancelled,
    observe,
  }: EvaluateOptions): Frame {
    const spare = this.#spare;
    if (!spare.isBusy && isCancelled === undefined && observe === undefined) {
      // Two numbers are compared directly, without dispatch on their types.
      if (costLimit !== spare.costLimit) spare.setLimit(costLimit);
      spare.isBusy = true;
      return spare;
    }
    return new Frame(spare.slots.length, spare.countsCosts, costLimit, isCancelled, observe);
  }
}

const noBindings: Bindings = {};
/** The default options; recognized by identity. */
export const noOptions: EvaluateOptions = {};

// Functions of the host, and getters and proxies of its data, may throw whatever they want.
function failureValue(failure: unknown): CelError {
  if (failure instanceof Cancelled || failure instanceof UnhashableKey) {
    return new CelError(failure.message);
  }
  return new CelError(formatHostLimit(failure) ?? `internal error: ${reasonOf(failure)}`);
}
