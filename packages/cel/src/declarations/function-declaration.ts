import type { Type } from '../values/types.ts';
import type { CelError, Value } from '../values/value.ts';

/** One overload of a function, with its implementation. */
export interface Overload {
  /** The stable id, as cel-go has it where cel-go has the overload; costs depend on it. */
  readonly id: string;
  /** Types of the arguments; the receiver is the first one of a member function. */
  readonly parameters: readonly Type[];
  /** The result type. */
  readonly result: Type;
  /** Called as `x.f(y)` and not as `f(x, y)`. */
  readonly member?: boolean;
  /** Also called with errors as arguments; otherwise an error among them is the result. */
  readonly nonStrict?: boolean;
  /**
   * Bound in cel-go as a function of any number of arguments (`FunctionBinding`) though it has one or
   * two: evaluation then stops at the first argument that fails, and the call costs nothing unless
   * that was the last. Calls with three arguments or more always do so.
   */
  readonly variadic?: boolean;
  /**
   * Called with arguments of any type and not only those of `parameters` (cel-go's
   * `DisableTypeGuards`); `evaluate` gives the error `no such overload` itself.
   */
  readonly unguarded?: boolean;
  /**
   * Whether the cost depends on the arguments alone and is charged before the call, since the call may
   * take as long as its cost says.
   */
  readonly chargedFirst?: boolean;
  /**
   * The implementation: as many arguments as `parameters`, each of its type (guarded before the
   * call). Returns a `CelError` for a failure; never throws.
   */
  evaluate?(...values: Value[]): Value;
}

/** A function with all its overloads. */
export interface FunctionDeclaration {
  /** The name as called; operators have cel-go's names, such as `_+_`. */
  readonly name: string;
  /** Its forms, by the types of their arguments. */
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
  /**
   * Returns an implementation for a call some of whose arguments are constants (`undefined` for those
   * that are not), to be used in place of the overloads' and called as a variadic one; an error ends
   * planning. For regular expressions, compiled once.
   */
  specialize?(
    constants: readonly (Value | undefined)[],
  ): FunctionImplementation | CelError | undefined;
  /** Only planned programs use the function; no expression can call it by name. */
  readonly internal?: boolean;
}

/** The implementation of a call, with as many parameters as the call has arguments. Never throws. */
export type FunctionImplementation = FunctionImplementationMethod['evaluate'];

interface FunctionImplementationMethod {
  evaluate(...values: Value[]): Value;
}

/** The signature of an overload, such as `string.(string) -> bool`. */
export function formatSignature({ parameters, result, member }: Overload): string {
  const [first, ...rest] = parameters.map(String);
  return member === true
    ? `${first}.(${rest.join(', ')}) -> ${result}`
    : `(${parameters.join(', ')}) -> ${result}`;
}
