import { typeFrom } from '../declarations/signature.ts';
import { convert, Unconvertible } from '../values/to-cel.ts';
import { dynType, Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import { noObjectTypes } from './object-types.ts';

/**
 * Converts a JavaScript value to CEL, to a given type if there is one: `toCel(10, 'double')`, `toCel([new Date(0)],
 * 'list<timestamp>')`.
 *
 * `Date` becomes a timestamp, `Map` a map, `Set` a list, an instance of a class a map of its members; `undefined`
 * members are omitted. A value that is valid already is returned unchanged.
 *
 * @throws TypeError that names the part without a value or of the wrong type
 */
export function toCel(value: unknown, type: Type | string = dynType): Value {
  try {
    return convert(value, type instanceof Type ? type : typeFrom(type), 'value', noObjectTypes);
  } catch (failure) {
    if (failure instanceof Unconvertible) throw new TypeError(failure.message);
    throw failure;
  }
}
