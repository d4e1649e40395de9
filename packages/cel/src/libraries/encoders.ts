import { compareText, decodeBase64, encodeBase64 } from '@kubeadmit/go';
import type { Library } from '../library.ts';
import { overload } from '../standard/signature.ts';
import { toJsonValue } from '../values/json-value.ts';
import { doubleValue, isList, isMap } from '../values/kind.ts';
import type { CelMap } from '../values/map.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import { CelError, type PlainObject, type Value } from '../values/value.ts';

/** A number that JSON has no form for. */
class NumberFailure extends Error {}

function jsonText(value: Value): string {
  const double = doubleValue(value);
  if (double !== undefined) return numberText(double);
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  return isMap(value) ? objectText(value) : JSON.stringify(value);
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new NumberFailure(`proto: google.protobuf.Value.number_value: invalid ${name} value`);
}

function objectText(map: PlainObject | CelMap): string {
  const entries = mapKeys(map).map(
    (key) => [String(key), jsonText(mapGet(map, key) ?? null)] as const,
  );
  entries.sort(([left], [right]) => compareText(left, right));
  return `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

function encodeJson(value: Value): Value {
  const json = toJsonValue(value);
  if (json instanceof CelError) return json;
  try {
    return jsonText(json);
  } catch (failure) {
    if (failure instanceof NumberFailure) return new CelError(failure.message);
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
            const padded = decodeBase64(text);
            const decoded = 'error' in padded ? decodeBase64(text, { isRaw: true }) : padded;
            return 'error' in decoded ? new CelError(decoded.error) : decoded;
          },
        }),
      ],
    },
    {
      name: 'base64.encode',
      overloads: [
        overload('base64_encode_bytes', '(bytes) -> string', {
          evaluate: (bytes: Uint8Array) => encodeBase64(bytes),
        }),
      ],
    },
    {
      name: 'json.encode',
      overloads: [overload('json_encode_dyn', '(dyn) -> string', { evaluate: encodeJson })],
    },
  ],
};
