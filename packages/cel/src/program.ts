import { Cancelled, Frame, type Watch } from './plan/frame.ts';
import { isInherited } from './plan/inherited.ts';
import type { PlannedExpression } from './plan/planner.ts';
import { dynType, type Type } from './types.ts';
import { hostLimitText } from './values/host-limit.ts';
import { UnhashableKey } from './values/map.ts';
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
  /** Gets the value of every expression within; needs a program planned with `watch`. */
  readonly watch?: Watch;
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
  private readonly planned: PlannedExpression;
  /** Whether a variable has the name of something that objects inherit. */
  private readonly needsCare: boolean;
  private spare: Frame | undefined;

  constructor(planned: PlannedExpression, type: Type | undefined) {
    this.planned = planned;
    this.type = type ?? dynType;
    this.needsCare = planned.variables.some(isInherited);
  }

  /** The variables that the expression reads. */
  get variables(): readonly string[] {
    return this.planned.variables;
  }

  /** Evaluates. Never throws; a failure is a `CelError` as the value. */
  evaluate(bindings: Bindings = noBindings, options: EvaluateOptions = noOptions): Evaluation {
    const { variables, evaluate } = this.planned;
    const frame = this.takeFrame(options);
    const { slots } = frame;
    for (let index = 0; index < variables.length; index++) {
      const name = variables[index] as string;
      slots[index] =
        typeof bindings === 'function'
          ? bindings(name)
          : this.needsCare && !Object.hasOwn(bindings, name)
            ? undefined
            : bindings[name];
    }
    let value: Value;
    try {
      value = evaluate(frame);
    } catch (failure) {
      value = failureValue(failure);
    }
    const { cost } = frame;
    if (frame.isPlain) {
      frame.clear();
      this.spare = frame;
    }
    return { value, cost };
  }

  // Frames without anything special are used again and again; one that is in use, by an evaluation
  // that this one is part of, is not there to be taken.
  private takeFrame({ costLimit, isCancelled, watch }: EvaluateOptions): Frame {
    const limit = costLimit ?? Number.POSITIVE_INFINITY;
    const { spare } = this;
    if (spare !== undefined && isCancelled === undefined && watch === undefined) {
      this.spare = undefined;
      spare.limit = limit;
      return spare;
    }
    const slots = Array.from({ length: this.planned.slots }, () => undefined);
    return new Frame(slots, limit, isCancelled, watch);
  }
}

const noBindings: Bindings = {};
const noOptions: EvaluateOptions = {};

function failureValue(failure: unknown): CelError {
  if (failure instanceof Cancelled || failure instanceof UnhashableKey) {
    return new CelError(failure.message);
  }
  const limit = hostLimitText(failure);
  if (limit !== undefined) {
    return new CelError(limit);
  }
  throw failure;
}
