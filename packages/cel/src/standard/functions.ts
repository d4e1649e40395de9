import { codePointCount } from '@kubeadmit/go';
import type { FunctionDeclaration, FunctionImplementation } from '../function-declaration.ts';
import { isList, isMap } from '../values/kind.ts';
import { mapSize } from '../values/maps.ts';
import { CelError, type Value } from '../values/value.ts';
import { overload } from './signature.ts';

// Functions on strings and collections of the standard library (cel-spec, "List of Standard
// Definitions").

function size(value: Value): Value {
  if (typeof value === 'string') return codePointCount(value);
  if (isList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : 0;
}

/** Whether `size` is defined for values of this kind (cel-go's `SizerType`). */
function isSized(value: Value): boolean {
  return typeof value === 'string' || isList(value) || value instanceof Uint8Array || isMap(value);
}

/** What the implementations of tests of a text do, so that they can be planned without a call. */
export const textTests: ReadonlyMap<
  FunctionImplementation,
  'contains' | 'endsWith' | 'startsWith'
> = new Map([
  [
    (text: Value, part: Value) =>
      typeof text === 'string' && typeof part === 'string' ? text.includes(part) : noOverload(),
    'contains',
  ],
  [
    (text: Value, part: Value) =>
      typeof text === 'string' && typeof part === 'string' ? text.endsWith(part) : noOverload(),
    'endsWith',
  ],
  [
    (text: Value, part: Value) =>
      typeof text === 'string' && typeof part === 'string' ? text.startsWith(part) : noOverload(),
    'startsWith',
  ],
]);

const textTestIds = {
  contains: 'contains_string',
  endsWith: 'ends_with_string',
  startsWith: 'starts_with_string',
} as const;

/** What texts say to arguments that are none. */
export function noOverload(): CelError {
  return new CelError('no such overload');
}

export const functions: readonly FunctionDeclaration[] = [
  {
    name: 'size',
    overloads: [
      overload('size_bytes', '(bytes) -> int'),
      overload('bytes_size', 'bytes.() -> int'),
      overload('size_list', '(list<A>) -> int'),
      overload('list_size', 'list<A>.() -> int'),
      overload('size_map', '(map<A, B>) -> int'),
      overload('map_size', 'map<A, B>.() -> int'),
      overload('size_string', '(string) -> int'),
      overload('string_size', 'string.() -> int'),
    ],
    singleton: size,
    accepts: isSized,
  },
  ...Array.from(textTests, ([evaluate, name]) => ({
    name,
    overloads: [
      overload(textTestIds[name], 'string.(string) -> bool', { unguarded: true, evaluate }),
    ],
  })),
];
