import { goTypeName } from './go-type.ts';
import { isInt } from './kind.ts';
import { CelError, type Value } from './value.ts';

/** The forms of Go in which data is held that is no JSON to Go. */
export type GoForm = 'struct' | 'map' | 'list';

/** Tells in which form of Go a list or map of the data is held; `undefined` when it is JSON there too. */
export type GoFormOf = (container: object) => GoForm | undefined;

// INVARIANT: set only while `withGoForms` runs, and evaluation is synchronous.
let current: GoFormOf | undefined;

/**
 * Evaluates with data that kube-apiserver holds as Go structs, maps and lists, which are stricter than
 * JSON about what they are compared with and looked up by (apiserver cel/common/valuesschemalesstyped.go). What is run
 * may be given its arguments here, which saves a function for every evaluation.
 */
export function withGoForms<Result, A = undefined, B = undefined, C = undefined, D = undefined>(
  formOf: GoFormOf,
  run: (a: A, b: B, c: C, d: D) => Result,
  ...[a, b, c, d]: readonly [a?: A, b?: B, c?: C, d?: D]
): Result {
  const before = current;
  current = formOf;
  try {
    return run(a as A, b as B, c as C, d as D);
  } finally {
    current = before;
  }
}

/** The form of Go in which a value is held; `undefined` for all that is no such data. */
export function goFormOf(value: Value): GoForm | undefined {
  if (current === undefined || typeof value !== 'object' || value === null) return undefined;
  return current(value);
}

/** The result of comparing a list or map with something that is none. */
export function unlike(container: Value): false | CelError {
  return goFormOf(container) === undefined ? false : new CelError('no such overload');
}

const goTypes: Readonly<Record<GoForm, string>> = {
  struct: '*common.reflectSchemalessTypedStruct',
  map: '*common.reflectSchemalessTypedMap',
  list: '*common.reflectSchemalessTypedList',
};

/** The error of a key by which data in a form of Go cannot be asked; `undefined` when it can. */
export function goKeyProblem(container: Value, key: Value): CelError | undefined {
  if (typeof key === 'string') return undefined;
  const asIndex = Array.isArray(container);
  const form = asIndex && isInt(key) ? undefined : goFormOf(container);
  if (form === undefined) return undefined;
  const keyForm = goFormOf(key);
  const type = keyForm === undefined ? goTypeName(key) : goTypes[keyForm];
  return new CelError(`unsupported ${asIndex ? 'index' : 'map key'} type: ${type}`);
}
