import { type JsonObject, put } from '../json.ts';
import type { Shape } from '../types/shape.ts';
import type { Field, StructType, TypeStore } from '../types/type-store.ts';

/**
 * Writes a struct as Go's encoder does: fields in order, empty ones dropped or written as their tags tell.
 *
 * The struct is the caller's to change, and is itself the result where its fields are in order already.
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
  if (isInOrder(type, object)) return writeMembers(types, type, object, shared);
  const written: JsonObject = {};
  for (const place of placesOf(type, object)) {
    const field = type.fields[place] as Field;
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

/** The places of the fields of a struct, and of those that are always written. */
interface Order {
  readonly places: ReadonlyMap<string, number>;
  readonly always: readonly number[];
}

const orders = new WeakMap<StructType, Order>();

function orderOf(type: StructType): Order {
  const known = orders.get(type);
  if (known) return known;
  const { fields } = type;
  const order = {
    places: new Map(fields.map(({ name }, place) => [name, place])),
    always: [...fields.keys()].filter((place) => fields[place]?.always),
  };
  orders.set(type, order);
  return order;
}

// The places of the fields to write, in order: few of the many that a struct has are there.
function placesOf(type: StructType, object: JsonObject): readonly number[] {
  const { places, always } = orderOf(type);
  const found: number[] = [];
  for (const place of always) {
    if (object[(type.fields[place] as Field).name] === undefined) found.push(place);
  }
  for (const key of Object.keys(object)) {
    const place = places.get(key);
    if (place !== undefined && object[key] !== undefined) found.push(place);
  }
  return sortFew(found);
}

// Sorts by insertion, which is fastest for what is nearly in order.
function sortFew(numbers: number[]): number[] {
  for (let end = 1; end < numbers.length; end++) {
    const number = numbers[end] as number;
    let place = end;
    for (; place > 0 && (numbers[place - 1] as number) > number; place--) {
      numbers[place] = numbers[place - 1] as number;
    }
    numbers[place] = number;
  }
  return numbers;
}

// Whether all fields that are there, and no others, are to be written as they follow each other.
function isInOrder({ fields }: StructType, object: JsonObject): boolean {
  let place = 0;
  for (const key of Object.keys(object)) {
    let field = fields[place++];
    while (field !== undefined && field.name !== key) {
      if (field.always) return false;
      field = fields[place++];
    }
    const value = object[key];
    if (field === undefined || value === undefined || isDropped(field, value)) return false;
  }
  for (; place < fields.length; place++) if (fields[place]?.always) return false;
  return true;
}

function writeMembers(
  types: TypeStore,
  { byName }: StructType,
  object: JsonObject,
  shared: ReadonlySet<object> | undefined,
): JsonObject {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value !== 'object' || value === null) continue;
    const { shape } = byName.get(key) as Field;
    if (isScalar(shape)) continue;
    const written = writeValue(types, shape, value, shared);
    if (written !== value) object[key] = written;
  }
  return object;
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
      const list = value as unknown[];
      for (let index = 0; index < list.length; index++) {
        list[index] = writeElement(types, element, list[index], shared);
      }
      return list;
    }
    case 'map': {
      const element = shape.element as Shape;
      const map = value as JsonObject;
      for (const key of Object.keys(map)) {
        const item = map[key];
        const written = writeElement(types, element, item, shared);
        if (written !== item) put(map, key, written);
      }
      return map;
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
