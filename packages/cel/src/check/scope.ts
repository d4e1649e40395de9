import type { Reference } from '../declarations/checked-expression.ts';
import type { FunctionDeclaration } from '../declarations/function-declaration.ts';
import { intType, structType, type Type, typeOfType } from '../values/types.ts';
import type { Value } from '../values/value.ts';

/** The names that an environment declares; see `Environment`. */
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
  constant(name: string): Value | undefined;
  /** Whether names that begin with `name.` may be declared. */
  mayQualify(name: string): boolean;
  /** Overloads that expressions cannot use. */
  isDisabled(overload: string): boolean;
}

/** The names that a reference can mean, most qualified first; a leading dot means the root. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  if (container === '') return [name];
  const names: string[] = [];
  for (let prefix = container; prefix !== ''; ) {
    names.push(`${prefix}.${name}`);
    const dot = prefix.lastIndexOf('.');
    prefix = dot === -1 ? '' : prefix.slice(0, dot);
  }
  names.push(name);
  return names;
}

/** The meaning of a name outside of all loops, and its type as an expression. */
export interface NamedThing {
  readonly reference: Exclude<Reference, { kind: 'function' | 'struct' }>;
  readonly type: Type;
}

/**
 * Looks up a dotted name outside of all loops; `hidden` is true if a loop variable of the same name
 * hides it.
 */
export function findGlobal(
  declarations: Declarations,
  name: string,
  hidden: boolean,
): NamedThing | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const variable = declarations.variableType(candidate);
    if (variable !== undefined) {
      return { reference: { kind: 'variable', name: candidate, root: hidden }, type: variable };
    }
    const named = declarations.namedType(candidate);
    if (named !== undefined || declarations.hasStruct(candidate)) {
      const type = typeOfType(named ?? structType(candidate));
      // Under its rooted name no type can be evaluated.
      return { reference: { kind: 'type', name: hidden ? `.${candidate}` : candidate }, type };
    }
    const constant = declarations.constant(candidate);
    if (constant !== undefined) {
      return { reference: { kind: 'constant', name: candidate, value: constant }, type: intType };
    }
  }
  return undefined;
}

/** The function that a name means. */
export function findFunction(
  declarations: Declarations,
  name: string,
): FunctionDeclaration | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const found = declarations.findFunction(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A local variable, with those around it. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly name: string;
  readonly type: Type;
}

/** The type of a local variable, the innermost of the name. */
export function findLocal(scope: Scope | undefined, name: string): Type | undefined {
  for (let local = scope; local !== undefined; local = local.outer) {
    if (local.name === name) return local.type;
  }
  return undefined;
}
