import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { Timestamp, Uint, type Value } from '@kubeadmit/cel';
import { decodeBase64, parseRfc3339 } from '@kubeadmit/go';
import { toCelValue } from '../../cel/cel-value.ts';
import type { FieldNotation } from './message-fields.ts';
import { fieldsOf, Message, splitNotation } from './message-types.ts';

/** The JSON of messages: `protobuf` refuses unknown fields, `go` ignores them and the case of names. */
export type MessageForm = 'protobuf' | 'go';

/** The error for a payload that does not fit its message; its text names the field. */
export class PayloadError extends Error {}

/**
 * Decodes the JSON of a message, as Kyverno's CLI reads the payload of a test.
 *
 * @throws PayloadError for an unknown field (`protobuf`) or a value of the wrong type
 */
export function decodeMessage(name: string, json: JsonObject, form: MessageForm): Message {
  return decodeFields(name, json, form, '');
}

function decodeFields(name: string, json: JsonObject, form: MessageForm, path: string): Message {
  const decoded = new Map<string, Value>();
  const names = Object.keys(fieldsOf(name) ?? {});
  for (const [key, value] of Object.entries(json)) {
    const place = path === '' ? key : `${path}.${key}`;
    const field = names.find((one) => isNamed(one, key, form));
    if (field === undefined) {
      if (form === 'protobuf') throw new PayloadError(`unknown field ${place}`);
      continue;
    }
    const notation = fieldsOf(name)?.[field] as FieldNotation;
    if (value !== null) decoded.set(field, decodeValue(notation, value, form, place));
  }
  return new Message(name, decoded);
}

/** Whether a key means a field: `raw_body` or `rawBody`, and for Go any case of it. */
function isNamed(field: string, key: string, form: MessageForm): boolean {
  if (form === 'go') return field.toLowerCase() === key.toLowerCase();
  return (
    key === field || key === field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  );
}

function decodeValue(
  notation: FieldNotation,
  json: unknown,
  form: MessageForm,
  path: string,
): Value {
  const { collection, element } = splitNotation(notation);
  if (collection === 'list') {
    if (!Array.isArray(json)) throw wrongType(path, 'a list');
    return json.map((item, index) => decodeValue(element, item, form, `${path}[${index}]`));
  }
  if (collection === 'map') {
    if (!isObject(json)) throw wrongType(path, 'a map');
    const entries = Object.entries(json).map(([key, value]): [string, Value] => [
      key,
      decodeValue(element, value, form, `${path}.${key}`),
    ]);
    return Object.fromEntries(entries) as Value;
  }
  if (fieldsOf(notation) === undefined) return decodeScalar(notation, json, form, path);
  if (!isObject(json)) throw wrongType(path, 'an object');
  return decodeFields(notation, json, form, path);
}

function decodeScalar(
  notation: FieldNotation,
  json: unknown,
  form: MessageForm,
  path: string,
): Value {
  switch (notation) {
    case 'string':
      if (typeof json === 'string') return json;
      throw wrongType(path, 'a string');
    case 'bool':
      if (typeof json === 'boolean') return json;
      throw wrongType(path, 'true or false');
    case 'bytes': {
      const bytes = typeof json === 'string' ? decodeBase64(json) : undefined;
      if (bytes instanceof Uint8Array) return bytes;
      throw wrongType(path, 'bytes in base64');
    }
    case 'struct':
      if (isObject(json)) return toCelValue(json);
      throw wrongType(path, 'an object');
    case 'timestamp': {
      const time = typeof json === 'string' ? parseRfc3339(json) : undefined;
      if (time === undefined) throw wrongType(path, 'a time such as 2026-01-31T12:00:00Z');
      return new Timestamp(time.seconds, time.nanoseconds);
    }
    default:
      return decodeInteger(notation, json, form, path);
  }
}

/** Integers of protocol buffers may be written as strings. */
function decodeInteger(
  notation: FieldNotation,
  json: unknown,
  form: MessageForm,
  path: string,
): Value {
  const isText = form === 'protobuf' && typeof json === 'string' && /^-?\d+$/.test(json);
  const number = isText ? Number(json) : json;
  if (!Number.isSafeInteger(number)) throw wrongType(path, 'an integer');
  if (notation !== 'uint') return number as number;
  if ((number as number) < 0) throw wrongType(path, 'a positive integer');
  return new Uint(BigInt(number as number));
}

function wrongType(path: string, expected: string): PayloadError {
  return new PayloadError(`${path} must be ${expected}`);
}
