import { formatSignature } from '../declarations/function-declaration.ts';
import type { Value } from '../values/value.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A declaration of an environment, as `Environment.definitions` lists them. */
export interface EnvironmentDefinitions {
  /** Variables with their types, as CEL writes them. */
  readonly variables: readonly { readonly name: string; readonly type: string }[];
  /** Constants with their values. */
  readonly constants: readonly { readonly name: string; readonly value: Value }[];
  /** With their signatures, such as `startsWith: string.(string) -> bool`. */
  readonly functions: readonly { readonly name: string; readonly signatures: readonly string[] }[];
  /** Macros with the count of their arguments. */
  readonly macros: readonly { readonly name: string; readonly arity: number | 'any' }[];
  /** Names of object types. */
  readonly types: readonly string[];
}

/** Everything that a vocabulary declares, sorted by name. */
export function listDefinitions({
  options,
  variables,
  definitions,
}: Vocabulary): EnvironmentDefinitions {
  const { functions, macros, types } = definitions;
  return {
    variables: Array.from(variables, ([name, type]) => ({ name, type: String(type) })).sort(byName),
    constants: Object.entries(options.constants ?? {})
      .map(([name, value]) => ({ name, value }))
      .sort(byName),
    functions: [...functions.values()]
      .filter(({ internal }) => internal !== true)
      .map(({ name, overloads }) => ({ name, signatures: overloads.map(formatSignature) }))
      .sort(byName),
    macros: macros.map(({ name, arity }) => ({ name, arity })).sort(byName),
    types: [...types.keys()].sort(),
  };
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
