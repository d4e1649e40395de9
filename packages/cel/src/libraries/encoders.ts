import type { Library } from '../library.ts';
import { overload } from '../standard/signature.ts';
import { compareCodePoints } from '../text/code-points.ts';
import { durationText } from '../text/duration-text.ts';
import { timestampText } from '../text/timestamp-text.ts';
import { doubleValue, isInt, isList, isMap, typeOf } from '../values/kind.ts';
import type { CelMap } from '../values/map.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import {
  CelError,
  Duration,
  Optional,
  type PlainObject,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';

/** Why a value has no JSON form; carries cel-go's text out of the recursion. */
class JsonFailure extends Error {}

const maximalSafe = BigInt(Number.MAX_SAFE_INTEGER);

function jsonText(value: Value): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (isInt(value)) {
    return integerText(BigInt(value));
  }
  const double = doubleValue(value);
  if (double !== undefined) {
    return doubleJson(double);
  }
  if (isList(value)) {
    return `[${value.map(jsonText).join(',')}]`;
  }
  if (isMap(value)) {
    return objectText(value);
  }
  if (value instanceof Uint) {
    return integerText(value.value);
  }
  if (value instanceof Uint8Array) {
    return `"${encodeBase64(value)}"`;
  }
  if (value instanceof Timestamp) {
    return `"${timestampText(value)}"`;
  }
  if (value instanceof Duration) {
    return `"${durationText(value.nanoseconds)}"`;
  }
  if (value instanceof Optional) {
    if (value.value === undefined) {
      throw new JsonFailure('optional.none() dereference');
    }
    return jsonText(value.value);
  }
  throw new JsonFailure(`type conversion not supported for '${typeOf(value).name}'`);
}

/** Integers that a double cannot hold are strings. */
function integerText(value: bigint): string {
  const isSafe = value >= -maximalSafe && value <= maximalSafe;
  return isSafe ? String(value) : `"${value}"`;
}

function doubleJson(value: number): string {
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? '-0' : String(value);
  }
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new JsonFailure(`proto: google.protobuf.Value.number_value: invalid ${name} value`);
}

function objectText(map: PlainObject | CelMap): string {
  const entries = mapKeys(map).map(
    (key) => [keyText(key), jsonText(mapGet(map, key) ?? null)] as const,
  );
  entries.sort(([left], [right]) => compareCodePoints(left, right));
  return `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

function keyText(key: Value): string {
  if (typeof key === 'string') {
    return key;
  }
  throw new JsonFailure(keyMistake(key));
}

function keyMistake(key: Value): string {
  if (doubleValue(key) !== undefined) {
    return "type conversion error from Double to 'string'";
  }
  if (typeof key === 'boolean') {
    return "type conversion error from bool to 'string'";
  }
  const { name } = typeOf(key);
  return isInt(key) || key instanceof Uint
    ? `unsupported type conversion from '${name}' to string`
    : `type conversion error from '${name}' to 'string'`;
}

function encodeJson(value: Value): Value {
  try {
    return jsonText(value);
  } catch (failure) {
    if (failure instanceof JsonFailure) {
      return new CelError(failure.message);
    }
    throw failure;
  }
}

/**
 * Encodings of bytes and values as strings (cel-go's `ext.Encoders`, version 1).
 *
 * - `base64.encode(bytes) -> string`: `base64.encode(b'hello')` is `"aGVsbG8="`.
 * - `base64.decode(string) -> bytes`: also without padding; `base64.decode('aGVsbG8')` is `b"hello"`.
 * - `json.encode(dyn) -> string`: `json.encode({'a': [1, null]})` is `{"a":[1,null]}`; keys are
 *   sorted, no blanks, integers beyond ±(2^53 - 1) are strings.
 */
export const encodersLibrary: Library = {
  name: 'encoders',
  functions: [
    {
      name: 'base64.decode',
      overloads: [
        overload('base64_decode_string', '(string) -> bytes', {
          evaluate: (text: string) => {
            const decoded = decodeBase64(text);
            return decoded instanceof Uint8Array
              ? decoded
              : new CelError(`illegal base64 data at input byte ${decoded.mistake}`);
          },
        }),
      ],
    },
    {
      name: 'base64.encode',
      overloads: [overload('base64_encode_bytes', '(bytes) -> string', { evaluate: encodeBase64 })],
    },
    {
      name: 'json.encode',
      overloads: [overload('json_encode_dyn', '(dyn) -> string', { evaluate: encodeJson })],
    },
  ],
};
