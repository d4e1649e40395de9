import type { Macro } from '../syntax/macro.ts';
import type { Type } from '../values/types.ts';
import type { FunctionDeclaration } from './function-declaration.ts';
import type { CallCost, Library, TreeRule } from './library.ts';
import { wellKnownTypes } from './well-known.ts';

export type MergeFunctions = (
  first: FunctionDeclaration,
  second: FunctionDeclaration,
) => FunctionDeclaration;

/** All that a list of libraries declares, the standard library first; shared by environments. */
export class Definitions {
  readonly macros: readonly Macro[];
  readonly rules: readonly TreeRule[];
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Every type that has a name. */
  readonly types: ReadonlyMap<string, Type>;
  /** The names of types that can be values; those of well-known messages cannot. */
  readonly evaluableTypes: ReadonlySet<string>;
  readonly overloadCosts: ReadonlyMap<string, CallCost>;
  /** The parts of names before their first dot; that of constants is a type name. */
  readonly qualifiers: ReadonlySet<string>;

  /** @param merge makes one function of two that have the same name */
  constructor(all: readonly Library[], merge: MergeFunctions) {
    this.macros = all.flatMap((library) => library.macros ?? []);
    this.rules = all.flatMap((library) => library.rules ?? []);
    const named = all.flatMap((library) => library.types ?? []);
    this.types = new Map([
      ...wellKnownTypes,
      ...named.map((type): [string, Type] => [type.name, type]),
    ]);
    this.evaluableTypes = new Set([...named.map((type) => type.name), 'google.protobuf.Empty']);
    this.overloadCosts = new Map(
      all.flatMap((library) => Object.entries(library.overloadCosts ?? {})),
    );
    const functions = new Map<string, FunctionDeclaration>();
    for (const declaration of all.flatMap((library) => library.functions ?? [])) {
      const known = functions.get(declaration.name);
      functions.set(declaration.name, known ? merge(known, declaration) : declaration);
    }
    this.functions = functions;
    this.qualifiers = qualifiersOf([this.types, functions]);
  }
}

/** Returns the parts of names before their first dot. */
export function qualifiersOf(names: readonly { keys(): Iterable<string> }[]): ReadonlySet<string> {
  const qualifiers = new Set<string>();
  for (const each of names) {
    for (const name of each.keys()) {
      if (name.includes('.')) qualifiers.add(name.slice(0, name.indexOf('.')));
    }
  }
  return qualifiers;
}
