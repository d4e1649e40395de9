import type { JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { type Shape, zeroScalar } from '../types/shape.ts';
import type { Field, StructType, TypeStore } from '../types/type-store.ts';
import type { Origins, Sharing } from './sharing.ts';

/**
 * Writes a struct as Go's encoder does: fields in order, empty ones dropped or written as their tags require.
 *
 * The struct is the caller's to change, and is itself the result where its fields are in order already.
 *
 * @param sharing what was written before: members and elements taken over from it stay as they are
 */
export function writeObject(
  types: TypeStore,
  type: StructType,
  object: JsonObject,
  sharing?: Sharing,
): JsonObject {
  return new Writer(types, sharing?.origins).struct(type, object, sharing?.live);
}

class Writer {
  readonly #types: TypeStore;
  readonly #origins: Origins | undefined;

  constructor(types: TypeStore, origins: Origins | undefined) {
    this.#types = types;
    this.#origins = origins;
  }

  struct(type: StructType, object: JsonObject, live?: JsonObject): JsonObject {
    if (live !== undefined && isLikeWritten(type, object, live)) {
      return this.#changed(type, object, live);
    }
    if (isInOrder(type, object)) return this.#members(type, object, live);
    const written: JsonObject = {};
    for (const place of placesOf(type, object)) {
      const field = type.fields[place] as Field;
      const { name, shape } = field;
      const value = object[name];
      if (value === undefined) {
        if (field.always) written[name] = shape.pointer ? null : this.#zero(shape);
      } else if (!isDropped(field, value)) {
        const isWritten = isScalar(shape) || value === live?.[name];
        written[name] = isWritten ? value : this.#value(shape, value, live?.[name]);
      }
    }
    return written;
  }

  #members({ byName }: StructType, object: JsonObject, live: JsonObject | undefined): JsonObject {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (typeof value !== 'object' || value === null) continue;
      const before = live?.[key];
      if (value === before) continue;
      const { shape } = byName.get(key) as Field;
      if (isScalar(shape)) continue;
      const written = this.#value(shape, value, before);
      if (written !== value) object[key] = written;
    }
    return object;
  }

  /** Writes the members that are not those of an earlier object, which has the same fields. */
  #changed({ byName }: StructType, object: JsonObject, live: JsonObject): JsonObject {
    for (const key in live) {
      const value = object[key];
      const before = live[key];
      if (value === before || typeof value !== 'object' || value === null) continue;
      const { shape } = byName.get(key) as Field;
      if (isScalar(shape)) continue;
      const written = this.#value(shape, value, before);
      if (written !== value) object[key] = written;
    }
    return object;
  }

  #value(shape: Shape, value: unknown, live: unknown): unknown {
    switch (shape.kind) {
      case 'struct': {
        const type = this.#types.get(shape.struct as string) as StructType;
        return this.struct(
          type,
          value as JsonObject,
          (live ?? undefined) as JsonObject | undefined,
        );
      }
      case 'list':
        return this.#list(shape.element as Shape, value as unknown[]);
      case 'map': {
        const element = shape.element as Shape;
        const map = value as JsonObject;
        if (element.kind === 'string') return map;
        for (const key of Object.keys(map)) {
          const item = map[key];
          const before = (live as JsonObject | null | undefined)?.[key];
          if (item !== undefined && item === before) continue;
          const written = this.#element(element, item, before);
          if (written !== item) setKey(map, key, written);
        }
        return map;
      }
      default:
        return value;
    }
  }

  #list(element: Shape, list: unknown[]): unknown[] {
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      const before =
        typeof item === 'object' && item !== null ? this.#origins?.get(item) : undefined;
      if (before === item && before !== undefined) continue;
      const written = this.#element(element, item, before);
      if (written !== item) list[index] = written;
    }
    return list;
  }

  #element(shape: Shape, value: unknown, live: unknown): unknown {
    if (value === undefined) return null;
    return isScalar(shape) ? value : this.#value(shape, value, live);
  }

  #zero(shape: Shape): unknown {
    return shape.kind === 'struct'
      ? this.struct(this.#types.get(shape.struct as string) as StructType, {})
      : (zeroScalar(shape) ?? null);
  }
}

// Whether a struct has the fields of one that was written, in the same order, and none of them is to be dropped.
function isLikeWritten({ byName }: StructType, object: JsonObject, live: JsonObject): boolean {
  const keys = Object.keys(object);
  let place = 0;
  for (const key in live) {
    if (key !== keys[place++]) return false;
    const value = object[key];
    if (value === live[key]) continue;
    const field = byName.get(key);
    if (field === undefined || value === undefined || isDropped(field, value)) return false;
  }
  return place === keys.length;
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

// Insertion sort, which is fastest for nearly sorted lists.
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

function isScalar(shape: Shape): boolean {
  return shape.kind !== 'struct' && shape.kind !== 'list' && shape.kind !== 'map';
}
