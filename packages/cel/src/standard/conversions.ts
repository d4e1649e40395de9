import {
  decodeUtf8,
  encodeUtf8,
  formatFloat64,
  formatRfc3339,
  parseDuration,
  parseFloat64,
  parseInt64,
  parseRfc3339,
} from '@kubeadmit/go';
import { memoize, parseUint64 } from '@kubeadmit/go/internal';
import type { FunctionDeclaration } from '../function-declaration.ts';
import { checkedUint } from '../values/arithmetic.ts';
import { formatSeconds } from '../values/format-seconds.ts';
import { doubleValue, makeDouble, makeInt, typeOf } from '../values/kind.ts';
import { maxTimestampSeconds, minTimestampSeconds } from '../values/timestamp-range.ts';
import {
  CelError,
  Duration,
  type Int,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts';
import { overload } from './signature.ts';

const readTimestamp = memoize(parseRfc3339);
const readDuration = memoize(parseDuration);

// Conversions between types (cel-spec, "Conversions"), with cel-go's texts.

const twoTo63 = 2 ** 63;
const twoTo64 = 2 ** 64;

function identity(id: string, type: string): ReturnType<typeof overload> {
  return overload(id, `(${type}) -> ${type}`, { evaluate: (value: Value) => value });
}

function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

function intFromDouble(value: Value): Value {
  const number = Math.trunc(doubleValue(value) ?? Number.NaN);
  // cel-go leaves both ends of the range out, where a double cannot tell them from their neighbours.
  return number > -twoTo63 && number < twoTo63
    ? makeInt(BigInt(number))
    : new CelError('integer overflow');
}

function uintFromDouble(value: Value): Value {
  const number = doubleValue(value) ?? Number.NaN;
  return number >= 0 && number < twoTo64
    ? new Uint(BigInt(Math.trunc(number)))
    : new CelError('unsigned integer overflow');
}

function timestampFromSeconds(value: Int): Value {
  const seconds = Number(value);
  return seconds < minTimestampSeconds || seconds > maxTimestampSeconds
    ? new CelError('timestamp overflow')
    : new Timestamp(seconds, 0);
}

function timestampFromText(text: string): Value {
  const instant = readTimestamp(text);
  if (instant === undefined) return conversionError('string', 'google.protobuf.Timestamp');
  return instant.seconds < minTimestampSeconds || instant.seconds > maxTimestampSeconds
    ? new CelError('timestamp overflow')
    : new Timestamp(instant.seconds, instant.nanoseconds, instant.offset);
}

const booleans: Readonly<Record<string, boolean>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false])),
});

function decodeText(bytes: Uint8Array): Value {
  return decodeUtf8(bytes) ?? new CelError('invalid UTF-8 in bytes, cannot convert to string');
}

export const conversions: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [overload('type', '(A) -> type<A>')],
    singleton: (value: Value) => new TypeValue(typeOf(value)),
  },
  {
    name: 'bool',
    overloads: [
      identity('bool_to_bool', 'bool'),
      overload('string_to_bool', '(string) -> bool', {
        evaluate: (text: string) => booleans[text] ?? conversionError('string', 'bool'),
      }),
    ],
  },
  {
    name: 'bytes',
    overloads: [
      identity('bytes_to_bytes', 'bytes'),
      overload('string_to_bytes', '(string) -> bytes', {
        evaluate: encodeUtf8,
      }),
    ],
  },
  {
    name: 'double',
    overloads: [
      identity('double_to_double', 'double'),
      overload('int64_to_double', '(int) -> double', {
        evaluate: (value: Int) => makeDouble(Number(value)),
      }),
      overload('string_to_double', '(string) -> double', {
        evaluate: (text: string) => {
          const value = parseFloat64(text);
          return typeof value === 'number'
            ? makeDouble(value)
            : conversionError('string', 'double');
        },
      }),
      overload('uint64_to_double', '(uint) -> double', {
        evaluate: (value: Uint) => makeDouble(Number(value.value)),
      }),
    ],
  },
  {
    name: 'duration',
    overloads: [
      identity('duration_to_duration', 'duration'),
      overload('string_to_duration', '(string) -> duration', {
        evaluate: (text: string) => {
          const nanoseconds = readDuration(text);
          return typeof nanoseconds === 'bigint'
            ? new Duration(nanoseconds)
            : conversionError('string', 'google.protobuf.Duration');
        },
      }),
    ],
  },
  {
    name: 'dyn',
    overloads: [overload('to_dyn', '(A) -> dyn')],
    singleton: (value: Value) => value,
  },
  {
    name: 'int',
    overloads: [
      identity('int64_to_int64', 'int'),
      overload('double_to_int64', '(double) -> int', { evaluate: intFromDouble }),
      overload('duration_to_int64', '(duration) -> int', {
        evaluate: (value: Duration) => makeInt(value.nanoseconds),
      }),
      overload('string_to_int64', '(string) -> int', {
        evaluate: (text: string) => {
          const value = parseInt64(text);
          return typeof value === 'bigint' ? makeInt(value) : conversionError('string', 'int');
        },
      }),
      overload('timestamp_to_int64', '(timestamp) -> int', {
        evaluate: (value: Timestamp) => value.seconds,
      }),
      overload('uint64_to_int64', '(uint) -> int', {
        evaluate: (value: Uint) =>
          value.value > 2n ** 63n - 1n ? new CelError('integer overflow') : makeInt(value.value),
      }),
    ],
  },
  {
    name: 'string',
    overloads: [
      identity('string_to_string', 'string'),
      overload('bool_to_string', '(bool) -> string', { evaluate: String }),
      overload('bytes_to_string', '(bytes) -> string', { evaluate: decodeText }),
      overload('double_to_string', '(double) -> string', {
        evaluate: (value: Value) => formatFloat64(doubleValue(value) ?? Number.NaN),
      }),
      overload('duration_to_string', '(duration) -> string', {
        evaluate: (value: Duration) => formatSeconds(value.nanoseconds),
      }),
      overload('int64_to_string', '(int) -> string', { evaluate: String }),
      overload('timestamp_to_string', '(timestamp) -> string', {
        evaluate: (time: Timestamp) => formatRfc3339(time),
      }),
      overload('uint64_to_string', '(uint) -> string', {
        evaluate: (value: Uint) => String(value.value),
      }),
    ],
  },
  {
    name: 'timestamp',
    overloads: [
      identity('timestamp_to_timestamp', 'timestamp'),
      overload('int64_to_timestamp', '(int) -> timestamp', { evaluate: timestampFromSeconds }),
      overload('string_to_timestamp', '(string) -> timestamp', { evaluate: timestampFromText }),
    ],
  },
  {
    name: 'uint',
    overloads: [
      identity('uint64_to_uint64', 'uint'),
      overload('double_to_uint64', '(double) -> uint', { evaluate: uintFromDouble }),
      overload('int64_to_uint64', '(int) -> uint', {
        evaluate: (value: Int) => checkedUint(BigInt(value)),
      }),
      overload('string_to_uint64', '(string) -> uint', {
        evaluate: (text: string) => {
          const value = parseUint64(text);
          return typeof value === 'bigint' ? new Uint(value) : conversionError('string', 'uint');
        },
      }),
    ],
  },
];
