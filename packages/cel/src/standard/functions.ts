import { codePointCount } from '@kubeadmit/go';
import type {
  FunctionDeclaration,
  FunctionImplementation,
} from '../declarations/function-declaration.ts';
import { overload } from '../declarations/signature.ts';
import { isList, isMap } from '../values/kind.ts';
import { mapSize } from '../values/maps.ts';
import { noOverload } from '../values/no-overload.ts';
import type { Value } from '../values/value.ts';

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

/** The operations of string tests, so that they can be planned without a call. */
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

export const functions: readonly FunctionDeclaration[] = [
  {
    name: 'size',
    overloads: ['bytes', 'list<A>', 'map<A, B>', 'string'].flatMap((type) => {
      const [kind = ''] = type.split('<');
      return [
        overload(`size_${kind}`, `(${type}) -> int`),
        overload(`${kind}_size`, `${type}.() -> int`),
      ];
    }),
    singleton: size,
    accepts: isSized,
  },
  ...Array.from(textTests, ([evaluate, name]) => ({
    name,
    overloads: [
      // `ends_with_string`
      overload(`${name.replace('W', '_w')}_string`, 'string.(string) -> bool', {
        unguarded: true,
        evaluate,
      }),
    ],
  })),
];
