import { parseDuration, parseRfc3339 } from '@kubeadmit/go';
import { wellKnownTypes } from '../../src/declarations/well-known.ts';
import {
  Double,
  Duration,
  Timestamp,
  type Type,
  TypeValue,
  Uint,
  type Value,
} from '../../src/index.ts';
import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  stringType,
  structType,
  timestampType,
  uintType,
} from '../../src/types.ts';
import {
  errorType,
  listType,
  mapType,
  nullableType,
  typeOfType,
  typeParameter,
} from '../../src/values/types.ts';
import { CelMap, makeDouble, makeInt, type PlainObject } from '../../src/values.ts';
import type { JsonType, JsonValue } from './suite.ts';

/** The value that cel-spec's JSON means. */
export function valueFrom(json: JsonValue): Value {
  if (json.boolValue !== undefined) return json.boolValue;
  if (json.bytesValue !== undefined) return bytesFrom(json.bytesValue);
  if (json.doubleValue !== undefined) return makeDouble(Number(json.doubleValue));
  if (json.int64Value !== undefined) return makeInt(BigInt(json.int64Value));
  if (json.uint64Value !== undefined) return new Uint(BigInt(json.uint64Value));
  if (json.stringValue !== undefined) return json.stringValue;
  if (json.typeValue !== undefined) return new TypeValue(typeNamed(json.typeValue));
  if (json.listValue !== undefined) return (json.listValue.values ?? []).map(valueFrom);
  if (json.mapValue !== undefined) {
    const map = new CelMap();
    for (const { key, value } of json.mapValue.entries ?? []) {
      map.set(valueFrom(key), valueFrom(value));
    }
    return map;
  }
  if (json.objectValue !== undefined) return objectFrom(json.objectValue);
  return null;
}

function bytesFrom(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The value of a well-known message in protobuf's JSON. */
function objectFrom(json: Readonly<Record<string, unknown>> & { readonly '@type': string }): Value {
  const name = json['@type'].replace('type.googleapis.com/', '');
  const value = json['value'];
  switch (name) {
    case 'google.protobuf.Duration': {
      const duration = parseDuration(String(value));
      return new Duration(typeof duration === 'bigint' ? duration : 0n);
    }
    case 'google.protobuf.Timestamp': {
      const instant = parseRfc3339(String(value));
      return new Timestamp(instant?.seconds ?? 0, instant?.nanoseconds ?? 0);
    }
    case 'google.protobuf.Struct':
    case 'google.protobuf.Value':
    case 'google.protobuf.ListValue':
      return jsonValue(value);
    case 'google.protobuf.BytesValue':
      return bytesFrom(String(value));
    case 'google.protobuf.UInt32Value':
    case 'google.protobuf.UInt64Value':
      return new Uint(BigInt(String(value)));
    case 'google.protobuf.Int32Value':
    case 'google.protobuf.Int64Value':
      return makeInt(BigInt(String(value)));
    case 'google.protobuf.DoubleValue':
    case 'google.protobuf.FloatValue':
      return makeDouble(Number(value));
    case 'google.protobuf.BoolValue':
      return value === true;
    case 'google.protobuf.StringValue':
      return String(value);
    default:
      throw new Error(`no value for \`${name}\``);
  }
}

/** A `google.protobuf.Value`, whose numbers are doubles. */
function jsonValue(json: unknown): Value {
  if (typeof json === 'number') return new Double(json);
  if (Array.isArray(json)) return json.map(jsonValue);
  if (typeof json === 'object' && json !== null) {
    const entries = Object.entries(json).map(([key, value]) => [key, jsonValue(value)] as const);
    return Object.fromEntries(entries) as PlainObject;
  }
  return json as Value;
}

const primitives: Readonly<Record<string, Type>> = {
  BOOL: boolType,
  BYTES: bytesType,
  DOUBLE: doubleType,
  INT64: intType,
  STRING: stringType,
  UINT64: uintType,
};

const wellKnown: Readonly<Record<string, Type>> = {
  ANY: anyType,
  DURATION: durationType,
  TIMESTAMP: timestampType,
};

/** The type that cel-spec's JSON means. */
export function typeFromJson(json: JsonType): Type {
  if (json.primitive !== undefined) return primitives[json.primitive] ?? dynType;
  if (json.wrapper !== undefined) return nullableType(primitives[json.wrapper] ?? dynType);
  if (json.wellKnown !== undefined) return wellKnown[json.wellKnown] ?? dynType;
  if (json.messageType !== undefined) {
    return wellKnownTypes.get(json.messageType) ?? structType(json.messageType);
  }
  if (json.listType !== undefined) return listOf(typeFromJson(json.listType.elemType ?? {}));
  if (json.mapType !== undefined) {
    const { keyType = {}, valueType = {} } = json.mapType;
    return mapOf(typeFromJson(keyType), typeFromJson(valueType));
  }
  if (json.abstractType !== undefined) {
    const { name, parameterTypes = [] } = json.abstractType;
    return opaqueType(name, parameterTypes.map(typeFromJson));
  }
  if (json.type !== undefined) return typeOfType(typeFromJson(json.type));
  if (json.typeParam !== undefined) return typeParameter(json.typeParam);
  return 'null' in json ? nullType : 'error' in json ? errorType : dynType;
}

const named: readonly Type[] = [
  boolType,
  bytesType,
  doubleType,
  intType,
  nullType,
  stringType,
  uintType,
  durationType,
  timestampType,
  listType,
  mapType,
];

function typeNamed(name: string): Type {
  return named.find((type) => type.name === name) ?? structType(name);
}
