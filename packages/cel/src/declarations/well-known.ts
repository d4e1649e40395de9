import { nullableType, structType, type Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import { typeFrom } from './signature.ts';

// The well-known messages of protobuf that CEL has types for: literals of them are plain values.

const prefix = 'google.protobuf.';

const wrappers = Object.entries({
  BoolValue: 'bool',
  BytesValue: 'bytes',
  DoubleValue: 'double',
  FloatValue: 'double',
  Int32Value: 'int',
  Int64Value: 'int',
  StringValue: 'string',
  UInt32Value: 'uint',
  UInt64Value: 'uint',
});

const empty = `${prefix}Empty`;
const objectType = 'map<string,dyn>';

/** The types that the names of the well-known messages stand for. */
export const wellKnownTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...wrappers.map(([name, type]): [string, Type] => [prefix + name, nullableType(typeFrom(type))]),
  ...Object.entries({
    Any: 'any',
    Duration: 'duration',
    ListValue: 'list',
    Struct: objectType,
    Timestamp: 'timestamp',
    Value: 'dyn',
  }).map(([name, type]): [string, Type] => [prefix + name, typeFrom(type)]),
  [empty, structType(empty)],
]);

const moment = { seconds: 'int', nanos: 'int' };

const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(wrappers.map(([name, type]) => [name, { value: type }])),
  Any: { type_url: 'string', value: 'bytes' },
  Duration: moment,
  Timestamp: moment,
  ListValue: { values: 'list' },
  Struct: { fields: objectType },
  Value: {
    null_value: 'int',
    number_value: 'double',
    string_value: 'string',
    bool_value: 'bool',
    struct_value: objectType,
    list_value: 'list',
  },
};

export function wellKnownField(message: string, field: string): Type | undefined {
  const name = message.slice(prefix.length);
  if (!message.startsWith(prefix) || !Object.hasOwn(fields, name)) return undefined;
  const known = fields[name] ?? {};
  return Object.hasOwn(known, field) ? typeFrom(known[field] as string) : undefined;
}

/** The named constants that every environment has: those of protobuf's one well-known enum. */
export const wellKnownConstants: ReadonlyMap<string, Value> = new Map([
  ['google.protobuf.NullValue.NULL_VALUE', 0],
]);
