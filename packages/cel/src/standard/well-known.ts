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
  nullType,
  stringType,
  structType,
  type Type,
  timestampType,
  uintType,
} from '../types.ts';
import { isInt, isList, isMap } from '../values/kind.ts';
import { CelMap } from '../values/map.ts';
import { CelError, Double, Duration, Timestamp, Uint, type Value } from '../values/value.ts';

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
  ['google.protobuf.NullValue', nullType],
  ['google.protobuf.Struct', mapOf(stringType, dynType)],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.Value', dynType],
]);

const fields: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  ...Object.fromEntries(wrappers.map(([name, type]) => [name, { value: type }])),
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

/** Makes the value of a literal of a well-known message. */
export function createWellKnown(name: string, values: ReadonlyMap<string, Value>): Value {
  const value = values.get('value');
  const type = wellKnownTypes.get(name);
  if (type?.nullable === true) {
    return value ?? zeroOf(type);
  }
  switch (name) {
    case 'google.protobuf.Duration':
      return new Duration(
        integer(values.get('seconds')) * 1_000_000_000n + integer(values.get('nanos')),
      );
    case 'google.protobuf.Timestamp':
      return new Timestamp(
        Number(integer(values.get('seconds'))),
        Number(integer(values.get('nanos'))),
      );
    case 'google.protobuf.ListValue': {
      const list = values.get('values') ?? [];
      return isList(list) ? list : [];
    }
    case 'google.protobuf.Struct': {
      const map = values.get('fields') ?? new CelMap();
      return isMap(map) ? map : new CelMap();
    }
    case 'google.protobuf.Value':
      return values.size === 0 || values.has('null_value')
        ? null
        : ([...values.values()][0] ?? null);
    default:
      return new CelError(`unknown type '${name}'`);
  }
}

function integer(value: Value | undefined): bigint {
  return value !== undefined && isInt(value) ? BigInt(value) : 0n;
}

function zeroOf(type: Type): Value {
  switch (type.kind) {
    case 'bool':
      return false;
    case 'string':
      return '';
    case 'bytes':
      return new Uint8Array();
    case 'uint':
      return new Uint(0n);
    case 'double':
      return new Double(0);
    default:
      return 0;
  }
}
