import { typeFrom } from '../standard/signature.ts';
import { dynType, Type } from '../types.ts';
import { convert, Unconvertible } from '../values/to-cel.ts';
import type { Value } from '../values/value.ts';
import { noObjectTypes } from './object-types.ts';

/**
 * The value of CEL for a value of JavaScript, of a type where one is given: `toCel(10, 'double')`,
 * `toCel([new Date(0)], 'list<timestamp>')`.
 *
 * `Date` becomes a timestamp, `Map` a map, `Set` a list, an instance of a class a map of its own members; members that
 * are `undefined` are absent. What is a value already stays the same object. Throws a `TypeError` that names the part
 * which has no value, or not of the type.
 */
export function toCel(value: unknown, type: Type | string = dynType): Value {
  try {
    return convert(value, type instanceof Type ? type : typeFrom(type), 'value', noObjectTypes);
  } catch (failure) {
    if (failure instanceof Unconvertible) throw new TypeError(failure.message);
    throw failure;
  }
}
