import { type Library, Type } from '@kubeadmit/cel';
import { standardLibrary } from '@kubeadmit/cel/declarations';
import { dynType } from '@kubeadmit/cel/types';
import { versionedLibraries } from '@kubeadmit/engine/environment';

/** One overload of a function as it can be called. */
export interface Signature {
  readonly name: string;
  readonly member: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
}

const libraries: readonly Library[] = [
  standardLibrary,
  ...versionedLibraries.map(({ library }) => library),
];

/** Every overload of every function that Kubernetes has in any version. */
export const signatures: readonly Signature[] = libraries
  .flatMap(({ functions = [] }) => functions)
  .filter(({ internal, name }) => internal !== true && (!name.startsWith('@') || name === '@in'))
  .flatMap(({ name, overloads }) =>
    overloads.map(({ member = false, parameters, result }) => ({
      name,
      member,
      parameters,
      result,
    })),
  );

const byResult = new Map<string, Signature[]>();

/** The overloads whose result can be of the type. */
export function signaturesFor(type: Type): readonly Signature[] {
  const key = type.toString();
  let found = byResult.get(key);
  if (found === undefined) {
    found = signatures.filter(({ result }) => unify(result, type, new Map()));
    byResult.set(key, found);
  }
  return found;
}

/** Whether a declared type unifies with the wanted one; binds its type variables. */
export function unify(declared: Type, wanted: Type, bound: Map<string, Type>): boolean {
  if (declared.kind === 'param') {
    bound.set(declared.name, wanted);
    return true;
  }
  return (
    declared.kind === wanted.kind &&
    declared.name === wanted.name &&
    declared.parameters.every((parameter, index) =>
      unify(parameter, wanted.parameters[index] ?? dynType, bound),
    )
  );
}

/** The type with its type variables replaced. */
export function substitute(type: Type, replacement: (name: string) => Type): Type {
  if (type.kind === 'param') return replacement(type.name);
  return type.parameters.length === 0
    ? type
    : new Type(
        type.kind,
        type.name,
        type.parameters.map((parameter) => substitute(parameter, replacement)),
      );
}
