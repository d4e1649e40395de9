import type {
  FunctionDeclaration,
  FunctionImplementation,
  Overload,
} from '../declarations/function-declaration.ts';
import { overload } from '../declarations/signature.ts';
import type { Type } from '../values/types.ts';

/**
 * An overload as a row: the name of the function, the id of the overload, its signature as `overload` parses it,
 * its implementation, and further properties.
 */
export type FunctionRow = readonly [
  name: string,
  id: string,
  signature: string,
  evaluate: FunctionImplementation,
  details?: Pick<Overload, 'chargedFirst' | 'unguarded' | 'variadic'>,
];

/**
 * Builds functions from rows. Rows with one name are overloads of one function, in the order in which they are
 * tried.
 *
 * @param types names of types that signatures may use in addition to those of the language
 */
export function functionsOf(
  rows: readonly FunctionRow[],
  types?: Readonly<Record<string, Type>>,
): readonly FunctionDeclaration[] {
  const named = types && ((name: string): Type | undefined => types[name]);
  const functions = new Map<string, Overload[]>();
  for (const [name, id, signature, evaluate, details] of rows) {
    const overloads = functions.get(name) ?? [];
    functions.set(name, overloads);
    overloads.push(overload(id, signature, { ...details, evaluate }, named));
  }
  return Array.from(functions, ([name, overloads]) => ({ name, overloads }));
}
