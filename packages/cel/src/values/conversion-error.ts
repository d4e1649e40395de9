import { doubleValue, isInt, isList, isMap, typeOf } from './kind.ts';
import {
  Duration,
  OpaqueValue,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** Formats cel-go's error for a value that cannot be converted to a Go type (`ConvertToNative`). */
export function formatConversionError(value: Value, goType: string): string {
  if (typeof value === 'string') return `unsupported native conversion from string to '${goType}'`;
  if (isInt(value) || value instanceof Uint) {
    return `unsupported type conversion from '${typeOf(value).name}' to ${goType}`;
  }
  if (value instanceof TypeValue) return "type conversion not supported for 'type'";
  if (value instanceof Optional) return 'optional.none() dereference';
  return `type conversion error from ${sourceName(value)} to '${goType}'`;
}

function sourceName(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (doubleValue(value) !== undefined) return 'Double';
  if (value instanceof Uint8Array) return 'Bytes';
  if (isList(value)) return 'list';
  if (isMap(value)) return 'map';
  if (value instanceof Timestamp) return "'Timestamp'";
  if (value instanceof Duration) return "'Duration'";
  if (value instanceof OpaqueValue) return `'${value.goType.replace(/^.*\./, '')}'`;
  return value instanceof StructValue ? "'*dynamicpb.Message'" : `'${typeOf(value).name}'`;
}
