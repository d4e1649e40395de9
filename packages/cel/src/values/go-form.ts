import { goTypeName } from './go-type.ts';
import { isInt } from './kind.ts';
import { noOverload } from './no-overload.ts';
import { type GoForm, goFormOf } from './origin.ts';
import { CelError, StructValue, type Value } from './value.ts';

/**
 * The result of comparing a list or map with something that is none.
 *
 * @param other what a map is compared with; some of it is a map to Go, though one like no other
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

/** The error of a key by which data in a form of Go cannot be asked; `undefined` when it can. */
export function goKeyProblem(container: Value, key: Value): CelError | undefined {
  if (typeof key === 'string') return undefined;
  const asIndex = Array.isArray(container);
  const form = asIndex && isInt(key) ? undefined : goFormOf(container);
  if (form === undefined) return undefined;
  const keyForm = goFormOf(key);
  const type = keyForm === undefined ? goTypeName(key) : goTypes[keyForm.kind];
  return new CelError(`unsupported ${asIndex ? 'index' : 'map key'} type: ${type}`);
}
