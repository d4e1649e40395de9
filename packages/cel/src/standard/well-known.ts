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
  nullableType,
  stringType,
  structType,
  type Type,
  timestampType,
  uintType,
} from '../types.ts';
import type { Value } from '../values/value.ts';

// The well-known messages of protobuf that CEL has types for: literals of them are plain values.

const wrappers: readonly (readonly [name: string, type: Type])[] = [
  ['google.protobuf.BoolValue', boolType],
  ['google.protobuf.BytesValue', bytesType],
  ['google.protobuf.DoubleValue', doubleType],
  ['google.protobuf.FloatValue', doubleType],
  ['google.protobuf.Int32Value', intType],
  ['google.protobuf.Int64Value', intType],
  ['google.protobuf.StringValue', stringType],
  ['google.protobuf.UInt32Value', uintType],
  ['google.protobuf.UInt64Value', uintType],
];

/** The types that the names of the well-known messages stand for. */
export const wellKnownTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...wrappers.map(([name, type]): [string, Type] => [name, nullableType(type)]),
  ['google.protobuf.Any', anyType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Empty', structType('google.protobuf.Empty')],
  ['google.protobuf.ListValue', listOf(dynType)],
  ['google.protobuf.Struct', mapOf(stringType, dynType)],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.Value', dynType],
]);

const fields: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  ...Object.fromEntries(wrappers.map(([name, type]) => [name, { value: type }])),
  'google.protobuf.Any': { type_url: stringType, value: bytesType },
  'google.protobuf.Duration': { seconds: intType, nanos: intType },
  'google.protobuf.Timestamp': { seconds: intType, nanos: intType },
  'google.protobuf.ListValue': { values: listOf(dynType) },
  'google.protobuf.Struct': { fields: mapOf(stringType, dynType) },
  'google.protobuf.Value': {
    null_value: intType,
    number_value: doubleType,
    string_value: stringType,
    bool_value: boolType,
    struct_value: mapOf(stringType, dynType),
    list_value: listOf(dynType),
  },
};

/** The type of a field of a well-known message. */
export function wellKnownField(message: string, field: string): Type | undefined {
  const known = Object.hasOwn(fields, message) ? fields[message] : undefined;
  return known !== undefined && Object.hasOwn(known, field) ? known[field] : undefined;
}

/** The named constants that every environment has: those of protobuf's one well-known enum. */
export const wellKnownConstants: ReadonlyMap<string, Value> = new Map([
  ['google.protobuf.NullValue.NULL_VALUE', 0],
]);
