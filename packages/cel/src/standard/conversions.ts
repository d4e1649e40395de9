import { memoize } from '@kubeadmit/base';
import {
  decodeUtf8,
  encodeUtf8,
  formatFloat64,
  formatRfc3339,
  parseDuration,
  parseFloat64,
  parseInt64,
  parseRfc3339,
  parseUint64,
} from '@kubeadmit/go';
import type {
  FunctionDeclaration,
  FunctionImplementation,
} from '../declarations/function-declaration.ts';
import { overload } from '../declarations/signature.ts';
import { checkedInt, checkedUint, intOverflow } from '../values/arithmetic.ts';
import { formatSeconds } from '../values/format-seconds.ts';
import { doubleValue, makeDouble, makeInt, typeOf } from '../values/kind.ts';
import { checkedTimestamp } from '../values/timestamp-range.ts';
import {
  CelError,
  Duration,
  type Int,
  type Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts';

// Conversions between types (cel-spec, "Conversions"), with cel-go's texts.

const twoTo63 = 2 ** 63;
const twoTo64 = 2 ** 64;

/** As the ids of overloads call a type. */
const kinds: Readonly<Record<string, string>> = { int: 'int64', uint: 'uint64' };

/**
 * Creates the conversion function of a type. A value of the type is returned unchanged.
 *
 * @param from the conversions of other types, in the order of their overloads
 */
function conversion(
  to: string,
  from: Readonly<Record<string, FunctionImplementation>>,
): FunctionDeclaration {
  const same: FunctionImplementation = (value) => value;
  return {
    name: to,
    overloads: Object.entries({ [to]: same, ...from }).map(([type, evaluate]) =>
      overload(`${kinds[type] ?? type}_to_${kinds[to] ?? to}`, `(${type}) -> ${to}`, { evaluate }),
    ),
  };
}

/** Converts a parsed text to a value; Go's functions return anything but `wanted` for texts of another type. */
function parsed<T, Wanted extends T>(
  value: T,
  wanted: 'number' | 'bigint',
  to: string,
  make: (value: Wanted) => Value,
): Value {
  return typeof value === wanted ? make(value as Wanted) : conversionError(to);
}

/** The error of a text that says nothing of a type. */
function conversionError(to: string): CelError {
  return new CelError(`type conversion error from 'string' to '${to}'`);
}

function intFromDouble(value: Value): Value {
  const number = Math.trunc(doubleValue(value) ?? Number.NaN);
  // cel-go excludes both ends of the range, where a double cannot represent them exactly.
  return number > -twoTo63 && number < twoTo63 ? makeInt(BigInt(number)) : intOverflow();
}

function uintFromDouble(value: Value): Value {
  const number = doubleValue(value) ?? Number.NaN;
  return number >= 0 && number < twoTo64
    ? new Uint(BigInt(Math.trunc(number)))
    : new CelError('unsigned integer overflow');
}

function timestampFromText(text: string): Value {
  const instant = parseRfc3339(text);
  return instant === undefined
    ? conversionError('google.protobuf.Timestamp')
    : checkedTimestamp(instant.seconds, instant.nanoseconds, instant.offset);
}

function durationFromText(text: string): Value {
  const nanoseconds = parseDuration(text);
  return typeof nanoseconds === 'bigint'
    ? new Duration(nanoseconds)
    : conversionError('google.protobuf.Duration');
}

const booleans: ReadonlyMap<string, boolean> = new Map(
  '1 t T true TRUE True 0 f F false FALSE False'.split(' ').map((text, index) => [text, index < 6]),
);

function decodeText(bytes: Uint8Array): Value {
  return decodeUtf8(bytes) ?? new CelError('invalid UTF-8 in bytes, cannot convert to string');
}

export const conversions: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [overload('type', '(A) -> type<A>')],
    singleton: (value: Value) => new TypeValue(typeOf(value)),
  },
  conversion('bool', { string: (text: string) => booleans.get(text) ?? conversionError('bool') }),
  conversion('bytes', { string: encodeUtf8 }),
  conversion('double', {
    int: (value: Int) => makeDouble(Number(value)),
    string: (text: string) => parsed(parseFloat64(text), 'number', 'double', makeDouble),
    uint: ({ value }: Uint) => makeDouble(Number(value)),
  }),
  conversion('duration', {
    string: memoize(durationFromText),
  }),
  {
    name: 'dyn',
    overloads: [overload('to_dyn', '(A) -> dyn')],
    singleton: (value: Value) => value,
  },
  conversion('int', {
    double: intFromDouble,
    duration: ({ nanoseconds }: Duration) => makeInt(nanoseconds),
    string: (text: string) => parsed(parseInt64(text), 'bigint', 'int', makeInt),
    timestamp: ({ seconds }: Timestamp) => seconds,
    uint: ({ value }: Uint) => checkedInt(value),
  }),
  conversion('string', {
    bool: String,
    bytes: decodeText,
    double: (value: Value) => formatFloat64(doubleValue(value) ?? Number.NaN),
    duration: ({ nanoseconds }: Duration) => formatSeconds(nanoseconds),
    int: String,
    timestamp: (time: Timestamp) => formatRfc3339(time),
    uint: ({ value }: Uint) => String(value),
  }),
  conversion('timestamp', {
    int: (value: Int) => checkedTimestamp(Number(value), 0),
    string: memoize(timestampFromText),
  }),
  conversion('uint', {
    double: uintFromDouble,
    int: (value: Int) => checkedUint(BigInt(value)),
    string: (text: string) =>
      parsed(parseUint64(text), 'bigint', 'uint', (value: bigint) => new Uint(value)),
  }),
];
