import { requireArgument, requireValue } from '@kubeadmit/base';
import type { FunctionImplementation } from '../declarations/function-declaration.ts';
import type { Library } from '../declarations/library.ts';
import { functionSignature } from '../standard/function-signature.ts';
import type { Value } from '../values/value.ts';
import { guarded, requireFunction } from './host-function.ts';
import { noObjectTypes } from './object-types.ts';

/**
 * Builds a library of functions by their signatures: `greet(string) -> string`, `string.greet(int) -> string` for a
 * method, `greetings.greet(string) -> string` in a namespace.
 *
 * Implementations receive CEL values of the signature's types and return a `CelError` for a failure. Exceptions,
 * and results of another type, become evaluation errors that name the function.
 *
 * @throws TypeError without a name or functions, for an invalid signature and for an asynchronous function
 */
export function libraryFrom(
  name: string,
  functions: Readonly<Record<string, FunctionImplementation>>,
): Library {
  requireValue('libraryFrom', name, 'string', 'the name of the library first');
  requireArgument('libraryFrom', functions, { what: 'functions by their signatures' });
  return {
    name,
    functions: Object.entries(functions).map(([signature, evaluate]) => {
      const { name: called, overload } = functionSignature(signature);
      requireFunction(called, evaluate);
      const run = evaluate as (...values: Value[]) => Value;
      const guardedRun = guarded(called, run, overload.result, noObjectTypes);
      return { name: called, overloads: [{ ...overload, evaluate: guardedRun }] };
    }),
  };
}
