// Values of CEL, for implementations of functions: their kinds, members, equality and order.

export { add, isAddable } from './values/arithmetic.ts';
export { compare, isComparable } from './values/compare.ts';
export { equal, isEqual } from './values/equal.ts';
export { formatCelValue } from './values/format-cel-value.ts';
export { toJsonValue } from './values/json-value.ts';
export {
  doubleValue,
  isInt,
  isList,
  isMap,
  isPlainObject,
  makeDouble,
  makeInt,
  typeOf,
} from './values/kind.ts';
export { CelMap } from './values/map.ts';
export { mapGet, mapKeys, mapSize } from './values/maps.ts';
export { noOverload } from './values/no-overload.ts';
export {
  type Int,
  OpaqueValue,
  type PlainObject,
  SpecialValue,
  StructValue,
} from './values/value.ts';
