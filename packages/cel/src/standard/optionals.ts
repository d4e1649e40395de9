import type { FunctionDeclaration } from '../function-declaration.ts';
import type { Library } from '../library.ts';
import { optionalMacros } from '../syntax/standard-macros.ts';
import { dynType, optionalOf } from '../types.ts';
import { formatGoValue } from '../values/format-go-value.ts';
import { doubleValue, isList, isMap } from '../values/kind.ts';
import { mapSize } from '../values/maps.ts';
import { minTimestampSeconds } from '../values/timestamp-range.ts';
import { CelError, Duration, Optional, Timestamp, Uint, type Value } from '../values/value.ts';
import { overload } from './signature.ts';

function isZero(value: Value): boolean {
  if (value === null || value === 0 || value === false || value === '') return true;
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

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'optional.of',
    overloads: [
      overload('optional_of', '(A) -> optional<A>', {
        evaluate: (value: Value) => new Optional(value),
      }),
    ],
  },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      overload('optional_ofNonZeroValue', '(A) -> optional<A>', {
        evaluate: (value: Value) => (isZero(value) ? Optional.none : new Optional(value)),
      }),
    ],
  },
  {
    name: 'optional.none',
    overloads: [overload('optional_none', '() -> optional<A>', { evaluate: () => Optional.none })],
  },
  {
    name: 'value',
    overloads: [
      overload('optional_value', 'optional<A>.() -> A', {
        evaluate: ({ value }: Optional) =>
          value === undefined ? new CelError('optional.none() dereference') : value,
      }),
    ],
  },
  {
    name: 'hasValue',
    overloads: [
      overload('optional_hasValue', 'optional<A>.() -> bool', {
        evaluate: ({ value }: Optional) => value !== undefined,
      }),
    ],
  },
  {
    name: 'or',
    overloads: [overload('optional_or_optional', 'optional<A>.(optional<A>) -> optional<A>')],
  },
  { name: 'orValue', overloads: [overload('optional_orValue_value', 'optional<A>.(A) -> A')] },
  { name: '_?._', overloads: [overload('select_optional_field', '(dyn, string) -> optional<A>')] },
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
  {
    name: 'last',
    overloads: [
      overload('list_last', 'list<A>.() -> optional<A>', {
        evaluate: (list: readonly Value[]) => ofElement(list.at(-1)),
      }),
    ],
  },
  {
    name: 'first',
    overloads: [
      overload('list_first', 'list<A>.() -> optional<A>', {
        evaluate: (list: readonly Value[]) => ofElement(list[0]),
      }),
    ],
  },
  {
    name: 'optional.unwrap',
    overloads: [
      overload('optional_unwrap', '(list<optional<A>>) -> list<A>', { evaluate: unwrap }),
    ],
  },
  {
    name: 'unwrapOpt',
    overloads: [
      overload('optional_unwrapOpt', 'list<optional<A>>.() -> list<A>', { evaluate: unwrap }),
    ],
  },
];

/** Optional values: `optional.of`, `a.?b`, `optMap` and so on (cel-go's `OptionalTypes`). */
export const optionalLibrary: Library = {
  name: 'optional',
  functions,
  macros: optionalMacros,
  types: [optionalOf(dynType)],
};
