import { quote, quoteBytes } from '@kubeadmit/go';
import { formatConversionError } from '../values/conversion-error.ts';
import { toJsonValue } from '../values/json-value.ts';
import { doubleValue, isInt, isList, isMap, makeDouble, makeInt, typeOf } from '../values/kind.ts';
import { CelMap } from '../values/map.ts';
import { formatDeclaredType, structType, type Type } from '../values/types.ts';
import {
  CelError,
  Double,
  Duration,
  Optional,
  StructValue,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';

// Literals of the well-known messages of protobuf: their fields have Go types, and the result is a plain value.

/** `google.protobuf.Empty{}`, the one well-known message that stays an object. */
class EmptyMessage extends StructValue {
  get type(): Type {
    return structType('google.protobuf.Empty');
  }

  get(): undefined {
    return undefined;
  }

  has(): boolean {
    return false;
  }

  equals(other: Value): boolean {
    return other instanceof EmptyMessage;
  }
}

/** Converts the value of a field, or says with cel-go's text why it cannot. */
type Convert = (value: Value) => Value;

function integer(bits: 32 | 64, goType: string): Convert {
  const limit = 2n ** BigInt(bits - 1);
  return (value) => {
    if (!isInt(value)) return new CelError(formatConversionError(value, goType));
    const exact = BigInt(value);
    return exact >= -limit && exact < limit ? value : new CelError('integer overflow');
  };
}

function unsigned(bits: 32 | 64): Convert {
  const limit = 2n ** BigInt(bits);
  return (value) => {
    if (!(value instanceof Uint)) return new CelError(formatConversionError(value, `uint${bits}`));
    return value.value < limit ? value : new CelError('unsigned integer overflow');
  };
}

function floating(bits: 32 | 64): Convert {
  return (value) => {
    const double = doubleValue(value);
    if (double === undefined) return new CelError(formatConversionError(value, `float${bits}`));
    return bits === 32 ? makeDouble(Math.fround(double)) : value;
  };
}

function only(isOfKind: (value: Value) => boolean, goType: string): Convert {
  return (value) => (isOfKind(value) ? value : new CelError(formatConversionError(value, goType)));
}

function json(isOfKind: (value: Value) => boolean, goType: string): Convert {
  return (value) =>
    isOfKind(value) ? toJsonValue(value) : new CelError(formatConversionError(value, goType));
}

const int32 = integer(32, 'int32');
const int64 = integer(64, 'int64');
const float64 = floating(64);
const text = only((value) => typeof value === 'string', 'string');
const truth = only((value) => typeof value === 'boolean', 'bool');
const bytes = only((value) => value instanceof Uint8Array, '[]uint8');

interface Message {
  readonly fields: Readonly<Record<string, Convert>>;
  create(fields: ReadonlyMap<string, Value>): Value;
}

function wrapper(convert: Convert, zero: Value): Message {
  return { fields: { value: convert }, create: (fields) => fields.get('value') ?? zero };
}

const time: Message['fields'] = { seconds: int64, nanos: int32 };

const messages: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['BoolValue', wrapper(truth, false)],
  ['BytesValue', wrapper(bytes, new Uint8Array())],
  ['DoubleValue', wrapper(float64, new Double(0))],
  ['FloatValue', wrapper(floating(32), new Double(0))],
  ['Int32Value', wrapper(int32, 0)],
  ['Int64Value', wrapper(int64, 0)],
  ['StringValue', wrapper(text, '')],
  ['UInt32Value', wrapper(unsigned(32), new Uint(0n))],
  ['UInt64Value', wrapper(unsigned(64), new Uint(0n))],
  ['Duration', { fields: time, create: createDuration }],
  ['Timestamp', { fields: time, create: createTimestamp }],
  ['Any', { fields: { type_url: text, value: bytes }, create: createAny }],
  ['Empty', { fields: {}, create: () => new EmptyMessage() }],
  [
    'ListValue',
    { fields: { values: toJsonValue }, create: (fields) => fields.get('values') ?? [] },
  ],
  [
    'Struct',
    { fields: { fields: toJsonValue }, create: (fields) => fields.get('fields') ?? new CelMap() },
  ],
  [
    'Value',
    {
      fields: {
        null_value: integer(32, 'protoreflect.EnumNumber'),
        number_value: float64,
        string_value: text,
        bool_value: truth,
        struct_value: json(isMap, '*structpb.Struct'),
        list_value: json(isList, '*structpb.ListValue'),
      },
      create: (fields) => {
        const [name, value = null] = [...fields].at(-1) ?? [];
        return name === 'null_value' ? null : value;
      },
    },
  ],
]);

// Fields that hold many values are looked at before their values are converted.
const collections: Readonly<Record<string, (value: Value) => boolean>> = {
  values: isList,
  fields: isMap,
};

/** Makes the value of a literal of a well-known message; a `CelError` with cel-go's text if not. */
export function createWellKnown(name: string, values: ReadonlyMap<string, Value>): Value {
  const message = messages.get(name.replace('google.protobuf.', ''));
  if (message === undefined) return new CelError(`unknown type '${name}'`);
  const fields = new Map<string, Value>();
  for (const [field, given] of values) {
    const value = given instanceof Optional && given.value !== undefined ? given.value : given;
    if (collections[field]?.(value) === false) {
      const type = formatDeclaredType(typeOf(value));
      return new CelError(`unsupported field type for ${name}.${field}: ${type}`);
    }
    const converted = message.fields[field]?.(value) ?? value;
    if (converted instanceof CelError) {
      return new CelError(
        `field type conversion error for ${name}.${field} value type: ${converted.message}`,
      );
    }
    fields.set(field, converted);
  }
  return message.create(fields);
}

/** Holds no message that is known here, and so has no value. */
function createAny(fields: ReadonlyMap<string, Value>): CelError {
  const type = fields.get('type_url');
  const content = fields.get('value');
  const parts = [
    ...(typeof type === 'string' && type !== '' ? [`type_url:${quote(type)}`] : []),
    ...(content instanceof Uint8Array && content.length > 0
      ? [`value:${quoteBytes(content)}`]
      : []),
  ];
  return new CelError(`unsupported conversion to ref.Val: (*dynamicpb.Message)${parts.join('  ')}`);
}

const second = 1_000_000_000n;
const maximalNanoseconds = 2n ** 63n - 1n;

function exact(value: Value | undefined): bigint {
  return value !== undefined && isInt(value) ? BigInt(value) : 0n;
}

/** Beyond the range of Go's durations there is only the end of it. */
function createDuration(fields: ReadonlyMap<string, Value>): Duration {
  const nanoseconds = exact(fields.get('seconds')) * second + exact(fields.get('nanos'));
  if (nanoseconds > maximalNanoseconds) return new Duration(maximalNanoseconds);
  return new Duration(nanoseconds < -maximalNanoseconds ? -maximalNanoseconds - 1n : nanoseconds);
}

function createTimestamp(fields: ReadonlyMap<string, Value>): Timestamp {
  const nanos = exact(fields.get('nanos'));
  const rest = ((nanos % second) + second) % second;
  const seconds = exact(fields.get('seconds')) + (nanos - rest) / second;
  return new Timestamp(Number(makeInt(seconds)), Number(rest));
}
