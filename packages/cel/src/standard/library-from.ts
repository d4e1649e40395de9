import { requireArgument, requireValue } from '@kubeadmit/go/internal';
import type { FunctionImplementation } from '../function-declaration.ts';
import { guarded, requireFunction } from '../host/host-function.ts';
import { noObjectTypes } from '../host/object-types.ts';
import type { Library } from '../library.ts';
import type { Value } from '../values/value.ts';
import { functionSignature } from './function-signature.ts';

/**
 * A library of functions by their signatures: `greet(string) -> string`, `string.greet(int) -> string`
 * for one that is called as a method, `greetings.greet(string) -> string` for one in a namespace.
 *
 * An implementation gets values of CEL of the types that its signature names, and gives a `CelError` for what goes
 * wrong; what it throws, and a result of another type, is an error of the evaluation that names the function. Throws
 * a `TypeError` without a name or functions, on a text that is no signature and on an asynchronous function.
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
