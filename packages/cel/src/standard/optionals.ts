import type {
  FunctionDeclaration,
  FunctionImplementation,
} from '../declarations/function-declaration.ts';
import type { Library } from '../declarations/library.ts';
import { overload } from '../declarations/signature.ts';
import { optionalMacros } from '../syntax/standard-macros.ts';
import { formatGoValue } from '../values/format-go-value.ts';
import { doubleValue, isList, isMap } from '../values/kind.ts';
import { mapSize } from '../values/maps.ts';
import { goFormOf } from '../values/origin.ts';
import { minTimestampSeconds } from '../values/timestamp-range.ts';
import { dynType, optionalOf } from '../values/types.ts';
import { CelError, Duration, Optional, Timestamp, Uint, type Value } from '../values/value.ts';

function isZero(value: Value): boolean {
  if (value === null || value === 0 || value === false || value === '') return true;
  // Go's own forms of data have no zero value.
  if (goFormOf(value) !== undefined) return false;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  if (isMap(value)) return mapSize(value) === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  if (value instanceof Timestamp) {
    return value.seconds === minTimestampSeconds && value.nanoseconds === 0;
  }
  return doubleValue(value) === 0;
}

function unwrap(list: readonly Value[]): Value {
  const values: Value[] = [];
  for (const element of list) {
    if (!(element instanceof Optional)) {
      return new CelError(`value ${formatGoValue(element)} is not optional`);
    }
    if (element.value !== undefined) values.push(element.value);
  }
  return values;
}

function ofElement(element: Value | undefined): Optional {
  return element === undefined ? Optional.none : new Optional(element);
}

/** A function with one overload. */
function single(
  name: string,
  id: string,
  signature: string,
  evaluate?: FunctionImplementation,
): FunctionDeclaration {
  return { name, overloads: [overload(id, signature, evaluate && { evaluate })] };
}

const functions: readonly FunctionDeclaration[] = [
  single('optional.of', 'optional_of', '(A) -> optional<A>', (value) => new Optional(value)),
  single(
    'optional.ofNonZeroValue',
    'optional_ofNonZeroValue',
    '(A) -> optional<A>',
    (value: Value) => (isZero(value) ? Optional.none : new Optional(value)),
  ),
  single('optional.none', 'optional_none', '() -> optional<A>', () => Optional.none),
  single('value', 'optional_value', 'optional<A>.() -> A', ({ value }: Optional) =>
    value === undefined ? new CelError('optional.none() dereference') : value,
  ),
  single(
    'hasValue',
    'optional_hasValue',
    'optional<A>.() -> bool',
    ({ value }: Optional) => value !== undefined,
  ),
  single('or', 'optional_or_optional', 'optional<A>.(optional<A>) -> optional<A>'),
  single('orValue', 'optional_orValue_value', 'optional<A>.(A) -> A'),
  single('_?._', 'select_optional_field', '(dyn, string) -> optional<A>'),
  {
    name: '_[?_]',
    overloads: [
      overload('list_optindex_optional_int', '(list<A>, int) -> optional<A>'),
      overload('optional_list_optindex_optional_int', '(optional<list<A>>, int) -> optional<A>'),
      overload('map_optindex_optional_value', '(map<A, B>, A) -> optional<B>'),
      overload('optional_map_optindex_optional_value', '(optional<map<A, B>>, A) -> optional<B>'),
    ],
  },
  {
    name: '_[_]',
    overloads: [
      overload('optional_list_index_int', '(optional<list<A>>, int) -> optional<A>'),
      overload('optional_map_index_value', '(optional<map<A, B>>, A) -> optional<B>'),
    ],
  },
  single('last', 'list_last', 'list<A>.() -> optional<A>', (list: readonly Value[]) =>
    ofElement(list.at(-1)),
  ),
  single('first', 'list_first', 'list<A>.() -> optional<A>', (list: readonly Value[]) =>
    ofElement(list[0]),
  ),
  single('optional.unwrap', 'optional_unwrap', '(list<optional<A>>) -> list<A>', unwrap),
  single('unwrapOpt', 'optional_unwrapOpt', 'list<optional<A>>.() -> list<A>', unwrap),
];

/** Optional values: `optional.of`, `a.?b`, `optMap` and so on (cel-go's `OptionalTypes`). */
export const optionalLibrary: Library = {
  name: 'optional',
  functions,
  macros: optionalMacros,
  types: [optionalOf(dynType)],
};
