import type { Type } from './types.ts';
import type { Value } from './values/value.ts';

/** One signature of a function, with what it does. */
export interface Overload {
  /** The stable id, as cel-go has it where cel-go has the overload; costs depend on it. */
  readonly id: string;
  /** Types of the arguments; the receiver is the first one of a member function. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Called as `x.f(y)` and not as `f(x, y)`. */
  readonly member?: boolean;
  /** Also called with errors as arguments; otherwise an error among them is the result. */
  readonly nonStrict?: boolean;
  /**
   * The implementation: as many arguments as `parameters`, each of its type (guarded before the
   * call). Gives a `CelError` for a failure; never throws.
   */
  evaluate?(...values: Value[]): Value;
}

/** A function with all its overloads. */
export interface FunctionDeclaration {
  /** The name as called; operators have cel-go's names, such as `_+_`. */
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for all overloads, in place of theirs: it gets arguments of any type for
   * which {@link FunctionDeclaration.accepts} holds.
   */
  singleton?(...values: Value[]): Value;
  /**
   * Whether the singleton takes the first argument at all; when not, the result is the error
   * `no such overload: NAME`, or `no such overload` where cel-go's value is a receiver.
   */
  accepts?(first: Value): boolean;
  /** Only what is planned knows the function; no expression can call it by name. */
  readonly internal?: boolean;
}

/**
 * The cost of a call that was made: a number, or computed from its result (perhaps a `CelError`) and
 * its arguments.
 */
export type CallCost = number | CallCostMethod['compute'];

// A method, and not a function type, so that costs may declare the types of their arguments.
interface CallCostMethod {
  compute(result: Value, ...values: Value[]): number;
}

/** A set of declarations that an environment can be given. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  /** Types that expressions can name, such as `net.IP`. */
  readonly types?: readonly Type[];
  /** Costs by overload id; they win over the environment's costs by function. */
  readonly overloadCosts?: Readonly<Record<string, CallCost>>;
}
