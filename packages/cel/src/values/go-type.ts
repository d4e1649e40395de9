import { isInt, isList, isMap } from './kind.ts';
import { Lister } from './lister.ts';
import { CelMap } from './map.ts';
import { isSum } from './origin.ts';
import {
  CelError,
  Double,
  Duration,
  OpaqueValue,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** The Go type of a value as `%T` prints it in cel-go's error texts: `types.String`. */
export function goTypeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'types.String';
    case 'boolean':
      return 'types.Bool';
    default:
      break;
  }
  if (isInt(value)) return 'types.Int';
  if (typeof value === 'number' || value instanceof Double) return 'types.Double';
  if (value === null) return 'types.Null';
  if (isList(value)) {
    if (value instanceof Lister) return value.goType;
    return isSum(value) ? '*types.concatList' : '*types.baseList';
  }
  if (isMap(value)) return value instanceof CelMap ? value.goType : '*types.baseMap';
  return goSpecialTypeName(value);
}

function goSpecialTypeName(value: Value): string {
  if (value instanceof OpaqueValue) return value.goType;
  if (value instanceof Uint) return 'types.Uint';
  if (value instanceof Uint8Array) return 'types.Bytes';
  if (value instanceof Timestamp) return 'types.Timestamp';
  if (value instanceof Duration) return 'types.Duration';
  if (value instanceof Optional) return '*types.Optional';
  if (value instanceof TypeValue) return '*types.Type';
  if (value instanceof StructValue) return '*dynamic.ObjectVal';
  return value instanceof CelError ? '*types.Err' : 'interface {}';
}

/** The same for data that has not become a CEL value yet: `map[string]interface {}`, `<nil>`. */
export function goDataTypeName(value: Value): string {
  if (value === null) return '<nil>';
  if (isList(value)) return '[]interface {}';
  if (value instanceof Uint8Array) return '[]uint8';
  return isMap(value) ? 'map[string]interface {}' : goTypeName(value);
}
