import type {
  FunctionDeclaration,
  FunctionImplementation,
  Overload,
} from '../function-declaration.ts';
import type { Type } from '../types.ts';
import { overload } from './signature.ts';

/**
 * An overload in a line: the name of the function, the id of the overload, its signature as `overload` reads it, what it
 * does, and what else is to be said of it.
 */
export type FunctionRow = readonly [
  name: string,
  id: string,
  signature: string,
  evaluate: FunctionImplementation,
  details?: Pick<Overload, 'chargedFirst' | 'unguarded' | 'variadic'>,
];

/**
 * Functions from lines, of which those with one name are overloads of one function, in the order in which they are tried.
 *
 * @param types what signatures may name besides the types of the language
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
