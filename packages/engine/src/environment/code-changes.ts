import { type Library, optionalLibrary } from '@kubeadmit/cel';

/** The first minor version of Kubernetes whose code has functions that no version of a library brought. */
const newFunctions: Readonly<Record<string, number>> = {
  // cel-go 0.23, `OptionalTypes` of version 2
  first: 33,
  last: 33,
  'optional.unwrap': 33,
  unwrapOpt: 33,
};

const older = new Map<number, Library>();

/**
 * A library as the code of a version has it: Kubernetes takes a newer cel-go with each version, whatever libraries it
 * lets expressions use.
 */
export function asInCode(library: Library, code: number): Library {
  const since = (name: string): number => newFunctions[name] ?? 0;
  if (library !== optionalLibrary || Object.values(newFunctions).every((from) => from <= code)) {
    return library;
  }
  const known = older.get(code);
  if (known !== undefined) return known;
  const made = {
    ...library,
    functions: library.functions?.filter(({ name }) => since(name) <= code) ?? [],
  };
  older.set(code, made);
  return made;
}

/** Whether a server's code hands Go structs to the expressions of policies, and not JSON (apiserver plugin/cel/activation.go). */
export function handsOnStructs(code: number): boolean {
  return code >= 37;
}
