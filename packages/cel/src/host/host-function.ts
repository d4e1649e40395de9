import type { FunctionImplementation } from '../declarations/function-declaration.ts';
import { reasonOf } from '../values/host-limit.ts';
import { convert, type HostTypes, Unconvertible } from '../values/to-cel.ts';
import { toJs } from '../values/to-js.ts';
import type { Type } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';

/** A function of JavaScript: gets values of JavaScript and gives one. */
export type HostFunction = HostFunctionMethod['call'];

// A method, and not a function type, so that functions may declare the types of their arguments.
interface HostFunctionMethod {
  call(...values: never[]): unknown;
}

/** A function of the host as an implementation that never throws and gives a value of the type. */
export function hostFunction(
  name: string,
  call: HostFunction,
  result: Type,
  types: HostTypes,
): FunctionImplementation {
  requireFunction(name, call);
  const run = call as (...values: unknown[]) => unknown;
  return guarded(name, (...values) => run(...values.map((value) => toJs(value))), result, types);
}

/** The same for a function that gets values of CEL as they are. */
export function guarded(
  name: string,
  run: (...values: Value[]) => unknown,
  result: Type,
  types: HostTypes,
): FunctionImplementation {
  return (...values) => {
    let given: unknown;
    try {
      given = run(...values);
    } catch (failure) {
      return new CelError(`function \`${name}\` failed: ${reasonOf(failure)}`);
    }
    if (given instanceof CelError) return given;
    if (given === undefined && result.name !== 'optional_type') {
      return new CelError(`function \`${name}\` gave no result`);
    }
    try {
      return convert(given, result, `${name}()`, types);
    } catch (failure) {
      if (!(failure instanceof Unconvertible)) throw failure;
      return new CelError(`function \`${name}\` returned a wrong value: ${failure.message}`);
    }
  };
}

/**
 * Requires a synchronous function.
 *
 * @throws TypeError for anything else
 */
export function requireFunction(name: string, call: unknown): void {
  if (typeof call !== 'function') {
    throw new TypeError(`\`${name}\` needs a function that computes it`);
  }
  const kind = Object.prototype.toString.call(call).slice(8, -1);
  if (kind !== 'Function') {
    const is = kind === 'GeneratorFunction' ? 'a generator' : 'asynchronous';
    throw new TypeError(
      `the function \`${name}\` is ${is}, and CEL evaluates at once: get what it needs before, and bind it as a variable`,
    );
  }
}
