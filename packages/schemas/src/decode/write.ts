import { type JsonObject, put } from '../json.ts';
import type { Shape } from '../types/shape.ts';
import type { Field, StructType, TypeStore } from '../types/type-store.ts';

/**
 * Writes a struct as Go's encoder does: fields in order, empty ones dropped or written as their tags tell.
 *
 * @param shared parts that are written already
 */
export function writeObject(
  types: TypeStore,
  type: StructType,
  object: JsonObject,
  shared?: ReadonlySet<object>,
): JsonObject {
  if (shared?.has(object)) return object;
  const written: JsonObject = {};
  for (const field of type.fields) {
    const value = object[field.name];
    const { shape } = field;
    if (value === undefined) {
      if (field.always) written[field.name] = shape.pointer ? null : writeZero(types, shape);
    } else if (!isDropped(field, value)) {
      written[field.name] = isScalar(shape) ? value : writeValue(types, shape, value, shared);
    }
  }
  return written;
}

function writeZero(types: TypeStore, shape: Shape): unknown {
  switch (shape.kind) {
    case 'struct':
      return writeObject(types, types.get(shape.struct as string) as StructType, {});
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intorstring':
      return 0;
    case 'quantity':
      return '0';
    default:
      return null;
  }
}

function isDropped(field: Field, value: unknown): boolean {
  const { shape } = field;
  if (shape.pointer) return false;
  if (value === null) return field.omitZero;
  if (!field.omitEmpty) return false;
  switch (shape.kind) {
    case 'string':
    case 'bytes':
      return value === '';
    case 'bool':
      return value === false;
    case 'int32':
    case 'int64':
    case 'float64':
      return value === 0 || value === 0n;
    case 'list':
      return (value as unknown[]).length === 0;
    case 'map':
      return Object.keys(value as JsonObject).length === 0;
    default:
      return false;
  }
}

function writeValue(
  types: TypeStore,
  shape: Shape,
  value: unknown,
  shared: ReadonlySet<object> | undefined,
): unknown {
  if (shared?.has(value as object)) return value;
  switch (shape.kind) {
    case 'struct':
      return writeObject(
        types,
        types.get(shape.struct as string) as StructType,
        value as JsonObject,
        shared,
      );
    case 'list': {
      const element = shape.element as Shape;
      return (value as unknown[]).map((item) => writeElement(types, element, item, shared));
    }
    case 'map': {
      const element = shape.element as Shape;
      const written: JsonObject = {};
      for (const key of Object.keys(value as JsonObject)) {
        put(written, key, writeElement(types, element, (value as JsonObject)[key], shared));
      }
      return written;
    }
    default:
      return value;
  }
}

function writeElement(
  types: TypeStore,
  shape: Shape,
  value: unknown,
  shared: ReadonlySet<object> | undefined,
): unknown {
  if (value === undefined) return null;
  return isScalar(shape) ? value : writeValue(types, shape, value, shared);
}

function isScalar(shape: Shape): boolean {
  return shape.kind !== 'struct' && shape.kind !== 'list' && shape.kind !== 'map';
}
