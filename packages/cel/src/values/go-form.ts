import { goTypeName } from './go-type.ts';
import { isInt } from './kind.ts';
import { noOverload } from './no-overload.ts';
import { type GoForm, goFormOf } from './origin.ts';
import { CelError, StructValue, type Value } from './value.ts';

/**
 * Returns the result of comparing a list or map with a value that is neither.
 *
 * @param other the value that a map is compared with; some values are maps to Go that equal no other map
 */
export function unlike(container: Value, other?: Value): false | CelError {
  return goFormOf(container) === undefined || (other instanceof StructValue && other.isMapToGo)
    ? false
    : noOverload();
}

const goTypes: Readonly<Record<GoForm['kind'], string>> = {
  struct: '*common.reflectSchemalessTypedStruct',
  map: '*common.reflectSchemalessTypedMap',
  list: '*common.reflectSchemalessTypedList',
};

/** Returns the error of a key that data in a Go form does not accept, or `undefined`. */
export function goKeyProblem(container: Value, key: Value): CelError | undefined {
  if (typeof key === 'string') return undefined;
  const asIndex = Array.isArray(container);
  const form = asIndex && isInt(key) ? undefined : goFormOf(container);
  if (form === undefined) return undefined;
  const keyForm = goFormOf(key);
  const type = keyForm === undefined ? goTypeName(key) : goTypes[keyForm.kind];
  return new CelError(`unsupported ${asIndex ? 'index' : 'map key'} type: ${type}`);
}
