import { Cancelled, type Evaluate, Frame, type Observe } from './plan/frame.ts';
import { isInherited } from './plan/inherited.ts';
import type { PlannedExpression } from './plan/planner.ts';
import { dynType, type Type } from './types.ts';
import { formatHostLimit, reasonOf } from './values/host-limit.ts';
import { UnhashableKey } from './values/map.ts';
import { forgetCounted } from './values/maps.ts';
import { enterData, type GoFormOf } from './values/origin.ts';
import { CelError, type Value } from './values/value.ts';

/** The values of variables, by name: an object, or a function that is asked for each that is read. */
export type Bindings = PlainBindings | ((name: string) => Value | undefined);

type PlainBindings = Readonly<Record<string, Value | undefined>>;

/** What one evaluation may do. */
export interface EvaluateOptions {
  /** The cost beyond which evaluation ends with an error; without limit unless said otherwise. */
  readonly costLimit?: number;
  /** Asked every now and then in long loops; evaluation ends with an error once it says true. */
  readonly isCancelled?: () => boolean;
  /** Gets the value of every expression within; needs a program planned with `observe`. */
  readonly observe?: Observe;
}

/** What an evaluation gave. */
export interface Evaluation {
  /** The value, or the error. */
  readonly value: Value;
  /** What it cost, in cel-go's units. */
  readonly cost: number;
}

/** An expression ready to be evaluated, any number of times. */
export class Program {
  /** The type of the result, as far as it is known before evaluation. */
  readonly type: Type;
  /** The variables that the expression reads. */
  readonly variables: readonly string[];
  readonly #variableSlots: readonly number[];
  readonly #run: Evaluate;
  /** Which variables have the name of something that objects inherit. */
  readonly #inherited: readonly boolean[];
  readonly #needsCare: boolean;
  readonly #spare: Frame;

  constructor(planned: PlannedExpression, type: Type | undefined) {
    this.variables = [...planned.variables.keys()];
    this.#variableSlots = [...planned.variables.values()];
    this.#run = planned.evaluate;
    this.type = type ?? dynType;
    this.#spare = new Frame(planned.slots, planned.countsCosts);
    this.#inherited = this.variables.map(isInherited);
    this.#needsCare = this.#inherited.includes(true);
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
    requireBindings(bindings);
    const frame = this.#takeFrame(options);
    const value = this.#evaluate(frame, bindings, formOf);
    const { cost } = frame;
    if (frame.isPlain) frame.clear();
    return { value, cost };
  }

  /** As {@link evaluate}, for who does not ask for the cost. */
  evaluateValue(bindings: Bindings, options: EvaluateOptions): Value {
    const frame = this.#takeFrame(options);
    const value = this.#evaluate(frame, bindings, undefined);
    if (frame.isPlain) frame.clear();
    return value;
  }

  #evaluate(frame: Frame, bindings: Bindings, formOf: GoFormOf | undefined): Value {
    this.#bind(frame, bindings);
    const outer = enterData(formOf);
    let value: Value;
    try {
      value = this.#run(frame);
    } catch (failure) {
      value = failureValue(failure);
    }
    enterData(outer);
    forgetCounted();
    return value;
  }

  #bind({ slots }: Frame, bindings: Bindings): void {
    const { variables } = this;
    const variableSlots = this.#variableSlots;
    if (typeof bindings === 'function' || this.#needsCare) {
      this.#readWithCare(slots, bindings);
      return;
    }
    try {
      for (let index = 0; index < variables.length; index++) {
        slots[variableSlots[index] as number] = bindings[variables[index] as string];
      }
    } catch {
      // A getter or a proxy that throws.
      this.#readWithCare(slots, bindings);
    }
  }

  #readWithCare(slots: (Value | undefined)[], bindings: Bindings): void {
    const { variables } = this;
    const variableSlots = this.#variableSlots;
    const inherited = this.#inherited;
    for (let index = 0; index < variables.length; index++) {
      const name = variables[index] as string;
      slots[variableSlots[index] as number] = read(bindings, name, inherited[index] === true);
    }
  }

  // Frames without anything special are used again and again; one that is in use, by an evaluation
  // that this one is part of, is not there to be taken.
  #takeFrame({ costLimit, isCancelled, observe }: EvaluateOptions): Frame {
    const spare = this.#spare;
    if (!spare.isBusy && isCancelled === undefined && observe === undefined) {
      if (costLimit !== spare.costLimit) spare.setLimit(costLimit);
      spare.isBusy = true;
      return spare;
    }
    return new Frame(spare.slots.length, spare.countsCosts, costLimit, isCancelled, observe);
  }
}

const noBindings: Bindings = {};
const noOptions: EvaluateOptions = {};

function requireBindings(bindings: Bindings): void {
  if (typeof bindings === 'object' ? bindings === null : typeof bindings !== 'function') {
    throw new TypeError('variables are bound by an object of values by name, or a function');
  }
}

/** What is bound to a name: by an own member, or by one that the class of the object computes. */
function read(bindings: Bindings, name: string, isInheritedName: boolean): Value | undefined {
  try {
    if (typeof bindings === 'function') return bindings(name);
    return !isInheritedName || Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  } catch (failure) {
    return new CelError(`reading \`${name}\` failed: ${reasonOf(failure)}`);
  }
}

// Functions of the host, and getters and proxies of its data, may throw whatever they want.
function failureValue(failure: unknown): CelError {
  if (failure instanceof Cancelled || failure instanceof UnhashableKey) {
    return new CelError(failure.message);
  }
  return new CelError(formatHostLimit(failure) ?? `internal error: ${reasonOf(failure)}`);
}
