import { decodeBase64, encodeBase64, JsonFormError, stringifyJson } from '@kubeadmit/go';
import type { Library } from '../declarations/library.ts';
import { functionsOf } from '../standard/functions-of.ts';
import { toJsonValue } from '../values/json-value.ts';
import { CelError, type Value } from '../values/value.ts';

function encodeJson(value: Value): Value {
  const json = toJsonValue(value);
  if (json instanceof CelError) return json;
  try {
    return stringifyJson(json, { isSorted: true });
  } catch (error) {
    if (!(error instanceof JsonFormError)) throw error;
    const [, name] = error.message.split('unsupported value: ');
    return new CelError(`proto: google.protobuf.Value.number_value: invalid ${name} value`);
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
  functions: functionsOf([
    [
      'base64.decode',
      'base64_decode_string',
      '(string) -> bytes',
      (text: string) => {
        const padded = decodeBase64(text);
        const decoded = 'error' in padded ? decodeBase64(text, { isRaw: true }) : padded;
        return 'error' in decoded ? new CelError(decoded.error) : decoded;
      },
    ],
    [
      'base64.encode',
      'base64_encode_bytes',
      '(bytes) -> string',
      (bytes: Uint8Array) => encodeBase64(bytes),
    ],
    ['json.encode', 'json_encode_dyn', '(dyn) -> string', encodeJson],
  ]),
};
