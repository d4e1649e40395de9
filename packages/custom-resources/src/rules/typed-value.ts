import { isDate, isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { CelError, Duration, Timestamp, type Type, type Value } from '@kubeadmit/cel';
import { opaqueType } from '@kubeadmit/cel/types';
import { makeDouble, OpaqueValue } from '@kubeadmit/cel/values';
import { decodeBase64, deepEqual, parseRfc3339 } from '@kubeadmit/go';
import { escapeProperty } from '@kubeadmit/schemas/cel';
import type { StructuralSchema } from '@kubeadmit/schemas/definitions';
import { timeProblem } from '@kubeadmit/schemas/unstable-internal';
import { parseFormattedDuration } from '../schema/string-formats.ts';
import { kindOf, numberOf } from '../values/json-value.ts';
import { withTypeAndMetadata } from './resource-schema.ts';
import { MapList, PlainList, SetList } from './typed-lists.ts';
import { type TypedEntry, TypedObject } from './typed-object.ts';

/**
 * A value of a custom resource as rules see it: texts in formats as times, durations or bytes, numbers as doubles, lists
 * with the equality of their list type (apiserver, `common.UnstructuredToVal`).
 */
export function typedValue(value: unknown, schema: StructuralSchema): Value {
  if (value === null || value === undefined) {
    return schema.nullable
      ? null
      : new CelError('invalid data, got null for schema with nullable=false');
  }
  const kind = kindOf(value);
  if (schema.intOrString) {
    return kind === 'string' || kind === 'integer'
      ? (value as Value)
      : new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      return isObject(value)
        ? typedObject(value, schema)
        : new CelError('invalid data, expected a map for the provided schema with type=object');
    case 'array':
      return typedList(value, schema);
    case 'string':
      return kind === 'string'
        ? typedText(value as string, schema.format)
        : new CelError(`invalid data, expected string, got ${goKind(value)}`);
    case 'number': {
      const number = numberOf(value);
      return number === undefined
        ? new CelError(`invalid data, expected float, got ${goKind(value)}`)
        : makeDouble(number);
    }
    case 'integer':
      return kind === 'integer'
        ? (value as Value)
        : new CelError(`invalid data, expected int, got ${goKind(value)}`);
    case 'boolean':
      return kind === 'boolean'
        ? (value as Value)
        : new CelError(`invalid data, expected bool, got ${goKind(value)}`);
    default:
      return schema.preserveUnknownFields
        ? new PreservedValue(value)
        : new CelError(
            `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
          );
  }
}

function goKind(value: unknown): string {
  const names = {
    null: '<nil>',
    boolean: 'bool',
    string: 'string',
    integer: 'int64',
    number: 'float64',
    array: '[]interface {}',
    object: 'map[string]interface {}',
  } as const;
  return names[kindOf(value)];
}

function typedObject(object: JsonObject, given: StructuralSchema): TypedObject {
  const schema = given.embeddedResource ? withTypeAndMetadata(given) : given;
  const entries: TypedEntry[] = [];
  const { additionalProperties: values, properties } = schema;
  const isStruct = given.embeddedResource || properties.size > 0;
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (isStruct) {
      const property = properties.get(name);
      if (!property) continue;
      entries.push({
        name,
        visible: escapeProperty(name),
        value: value === null ? undefined : typedValue(value, property),
      });
    } else if (typeof values === 'object') {
      entries.push({ name, visible: name, value: typedValue(value, values) });
    }
  }
  return new TypedObject(object, entries, isStruct);
}

function typedList(value: unknown, schema: StructuralSchema): Value {
  const { items, listType } = schema;
  if (!Array.isArray(value)) {
    return new CelError('invalid data, expected an array for the provided schema with type=array');
  }
  if (!items) return new CelError('invalid array type, expected Items with a non-empty Schema');
  const list = value.map((item) => typedValue(item, items));
  switch (listType ?? '') {
    case 'set':
      return SetList.make(list);
    case 'map':
      return MapList.make(
        list,
        schema.listMapKeys.map((key) => escapeProperty(key) ?? key),
        value,
      );
    case '':
    case 'atomic':
      return PlainList.make(list);
    default:
      return new CelError(
        `invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`,
      );
  }
}

function typedText(text: string, format: string): Value {
  switch (format) {
    case 'duration': {
      const nanoseconds = parseFormattedDuration(text);
      return nanoseconds === undefined
        ? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
        : new Duration(nanoseconds);
    }
    case 'date': {
      const instant = isDate(text) ? parseRfc3339(`${text}T00:00:00Z`) : undefined;
      return instant
        ? new Timestamp(instant.seconds, instant.nanoseconds, instant.offset)
        : new CelError(`Invalid date formatted string ${text}: ${timeProblem(text, 'date')}`);
    }
    case 'date-time':
      return typedTime(text);
    case 'byte':
      return typedBytes(text);
    default:
      return text;
  }
}

function typedTime(text: string): Value {
  if (text === '') return new Timestamp(0, 0, 0);
  const instant = parseRfc3339(text) ?? parseRfc3339(`${text}Z`);
  if (instant) return new Timestamp(instant.seconds, instant.nanoseconds, instant.offset);
  return new CelError(
    `Invalid date-time formatted string ${text}: ${timeProblem(text, 'localTime')}`,
  );
}

/** Bytes in the alphabet of URLs, which is not the one that the format is checked against. */
function typedBytes(text: string): Value {
  const standard = text.replaceAll(/[-_+/]/g, (character) => otherAlphabet[character] ?? '');
  const bytes = decodeBase64(standard);
  return 'error' in bytes
    ? new CelError(`Invalid byte formatted string ${text}: ${bytes.error}`)
    : bytes;
}

const otherAlphabet: Readonly<Record<string, string>> = { '-': '+', _: '/', '+': '-', '/': '_' };

const preservedType: Type = opaqueType('unknown');

/** Data without a schema, which can only be compared (apiserver, `common.unknownPreserved`). */
class PreservedValue extends OpaqueValue {
  readonly goType = '*common.unknownPreserved';
  readonly raw: unknown;

  constructor(raw: unknown) {
    super();
    this.raw = raw;
  }

  get type(): Type {
    return preservedType;
  }

  override equals(other: Value): boolean {
    return deepEqual(this.raw, other instanceof PreservedValue ? other.raw : other);
  }
}
