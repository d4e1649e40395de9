import type { FunctionDeclaration } from '../library.ts';
import type { Type } from '../types.ts';
import type { Value } from '../values/value.ts';

/** What an environment knows of names; see `Environment`. */
export interface Declarations {
  /** The namespace in which names are looked up first; empty for none. */
  readonly container: string;
  variableType(name: string): Type | undefined;
  findFunction(name: string): FunctionDeclaration | undefined;
  /** The type that a name such as `int` or `net.IP` stands for. */
  namedType(name: string): Type | undefined;
  /** Whether the name is that of an object type. */
  hasStruct(name: string): boolean;
  fieldType(struct: string, field: string): Type | undefined;
  /** The value of a named constant. */
  constant(name: string): Value | undefined;
  /** Overloads that expressions cannot use. */
  isDisabled(overload: string): boolean;
}

/** The names that a reference can mean, most qualified first; a leading dot means the root. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) {
    return [name.slice(1)];
  }
  const names: string[] = [];
  for (let prefix = container; prefix !== ''; ) {
    names.push(`${prefix}.${name}`);
    const dot = prefix.lastIndexOf('.');
    prefix = dot === -1 ? '' : prefix.slice(0, dot);
  }
  names.push(name);
  return names;
}

/** Local variables, innermost last. */
export class Scope {
  readonly parent: Scope | undefined;
  private readonly variables: ReadonlyMap<string, Type>;

  constructor(parent: Scope | undefined, variables: Iterable<readonly [string, Type]>) {
    this.parent = parent;
    this.variables = new Map(variables);
  }

  find(name: string): Type | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }
}
