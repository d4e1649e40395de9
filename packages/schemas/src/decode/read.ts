import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatQuantity, parseQuantity } from '@kubeadmit/apimachinery/quantity';
import { describeValue, setKey } from '@kubeadmit/base';
import { compareText, decodeBase64, encodeBase64, stringifyJson } from '@kubeadmit/go';
import { parseShape, type Shape, zeroScalar } from '../types/shape.ts';
import type { Field, StructType, TypeStore } from '../types/type-store.ts';
import {
  type Dependent,
  dependentOf,
  LiveElements,
  type Origins,
  type Sharing,
} from './sharing.ts';
import { canonicalTime } from './time.ts';
import { asRead, wrappedNumber } from './wrapped-number.ts';

/** A value that ends decoding at once, as an `UnmarshalJSON` method of Go does. */
class Refusal {
  readonly message: string;
  readonly place: Place;

  constructor(message: string, place: Place) {
    this.message = message;
    this.place = place;
  }
}

/** Keys and indexes that lead to a value. */
type Place = readonly (string | number)[];

/** The result of reading a manifest. */
export interface ReadResult {
  /**
   * The struct as Go would represent it: absent fields have the zero value, so that nil and empty differ; quantities
   * and times are canonical.
   */
  readonly object?: JsonObject;
  /** Go's text about the first value that does not fit. */
  readonly error?: string;
  /** The position of that value. */
  readonly errorPlace?: Place;
  /** Paths of unknown fields, in the order in which they stand. */
  readonly unknownFields: readonly string[];
  /** A time was the zero time, which is written as null and so is nil when it is read again. */
  readonly hasZeroTime?: boolean;
}

/** How to read. */
export interface ReadOptions {
  /** A previously decoded object: parts that the manifest shares with it are reused unchanged. */
  readonly sharing?: Sharing | undefined;
  /** Whether capital letters in names of fields are as good as small ones, as they are to Go's `encoding/json`. */
  readonly anyCase?: boolean;
  /** Whether the object was decoded before, so that null for a time is the zero time, which a pointer may lead to. */
  readonly isHeld?: boolean;
}

/** Reads a manifest as the JSON decoder of kube-apiserver (sigs.k8s.io/json) reads it into a Go struct. */
export function readObject(
  types: TypeStore,
  type: StructType,
  value: unknown,
  options: ReadOptions = {},
): ReadResult {
  const reader = new Reader(types, options);
  try {
    const object = reader.struct(type, value, options.sharing?.live);
    const { error, errorPlace, unknownFields, hasZeroTime } = reader;
    if (error === undefined) return { object, unknownFields, hasZeroTime };
    return { error, errorPlace, unknownFields };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { message, place } = refusal;
    return { error: message, errorPlace: place, unknownFields: reader.unknownFields };
  }
}

const maxUnknownFields = 100;

function isTime({ kind }: Shape): boolean {
  return kind === 'time' || kind === 'microtime';
}

class Reader {
  /** The first error that does not end decoding. */
  error: string | undefined;
  errorPlace: Place = [];
  readonly unknownFields: string[] = [];
  hasZeroTime = false;
  readonly #types: TypeStore;
  readonly #anyCase: boolean;
  readonly #isHeld: boolean;
  /** The struct and the fields that Go's texts name. */
  #struct = '';
  readonly #path: string[] = [];
  /** The struct around a value that is read on its own; its name wins in texts. */
  #outer: string | undefined;
  /** The path of strict decoding, with indexes and keys. */
  readonly #place: (string | number)[] = [];

  /** Undefined where nothing is taken over. */
  readonly #origins: Origins | undefined;

  constructor(types: TypeStore, { sharing, anyCase = false, isHeld = false }: ReadOptions) {
    this.#types = types;
    this.#isHeld = isHeld;
    this.#origins = sharing?.origins;
    this.#anyCase = anyCase;
  }

  struct(type: StructType, value: unknown, live?: unknown, around?: Dependent): JsonObject {
    const object: JsonObject = {};
    if (!isObject(value)) {
      if (value !== null) this.#wrongType(kindOf(value), type.name.split('.').slice(-2).join('.'));
      return object;
    }
    const outer = this.#struct;
    const dependent = this.#origins && dependentOf(type.name, around);
    const known = this.#known(live);
    for (const key of keysInOrder(value)) {
      const member = value[key];
      const before = known?.[key];
      if (isTakenOver(member, before) && dependent?.[key] === undefined) {
        object[key] = member;
        continue;
      }
      const field = type.byName.get(key) ?? (this.#anyCase ? inAnyCase(type, key) : undefined);
      if (!field) {
        this.#unknown(key);
        continue;
      }
      this.#struct = type.ownName;
      this.#path.push(field.path);
      this.#place.push(key);
      const read = this.value(field.shape, member, before, dependent?.[key]);
      if (read !== undefined) object[field.name] = read;
      this.#place.pop();
      this.#path.pop();
      this.#struct = outer;
    }
    return object;
  }

  /** The value as Go would hold it; undefined for nil and for zero values that null stands for. */
  value(shape: Shape, value: unknown, live?: unknown, dependent?: Dependent): unknown {
    if (value === null) return this.#isHeld && isTime(shape) ? null : undefined;
    switch (shape.kind) {
      case 'string':
        return typeof value === 'string' ? value : this.#wrongType(kindOf(value), shape.go);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#wrongType(kindOf(value), shape.go);
      case 'int32':
      case 'int64':
        return this.#integer(shape, value);
      case 'float64':
        return typeof value === 'number' ||
          typeof value === 'bigint' ||
          wrappedNumber(value) !== undefined
          ? value
          : this.#wrongType(kindOf(value), shape.go);
      case 'list':
        return this.#list(shape, value, live, dependent);
      case 'map':
        return this.#map(shape, value, live, dependent);
      case 'struct': {
        const type = this.#types.get(shape.struct as string) as StructType;
        return this.struct(type, value, live, dependent);
      }
      case 'any':
        return this.#any(shape, value);
      case 'own':
        return this.#own(shape, value);
      default:
        return this.#leaf(shape, value);
    }
  }

  #leaf(shape: Shape, value: unknown): unknown {
    switch (shape.kind) {
      case 'bytes':
        return this.#bytes(shape, value);
      case 'quantity':
        return this.#quantity(value);
      case 'intorstring':
        return this.#intOrString(value);
      default:
        return this.#time(shape.kind as 'time' | 'microtime', value);
    }
  }

  /** Values that are kept as they are; the alternatives in JSON schemas are read to see that they fit. */
  #any(shape: Shape, value: unknown): unknown {
    const alternatives = schemaAlternatives[shape.free ?? ''];
    if (!alternatives) return value;
    const fitting = alternatives(value);
    if (typeof fitting === 'string') throw this.#refusal(fitting);
    if (fitting) this.#inside(fitting, value);
    return value;
  }

  #own({ choices = [], refusal }: Shape, value: unknown): unknown {
    const fitting = choices.find(({ kind }) => (kind === 'list') === Array.isArray(value));
    return this.#inside((fitting ?? choices[0]) as Shape, value, refusal);
  }

  /** Reads a value with the `UnmarshalJSON` method of its type: an error in it ends decoding. */
  #inside(shape: Shape, value: unknown, refusal?: string): unknown {
    const inner = new Reader(this.#types, { anyCase: this.#anyCase });
    inner.#outer = this.#outer ?? this.#struct;
    inner.#path.push(...this.#path);
    inner.#place.push(...this.#place);
    const read = inner.value(shape, value);
    if (inner.error === undefined) return read;
    throw new Refusal(refusal ?? inner.error, inner.errorPlace);
  }

  #refusal(message: string): Refusal {
    return new Refusal(message, [...this.#place]);
  }

  #integer(shape: Shape, value: unknown): unknown {
    const limit = shape.kind === 'int32' ? 2 ** 31 : 2 ** 63;
    if (typeof value === 'number' || typeof value === 'bigint') {
      const whole = typeof value === 'bigint' || Number.isInteger(value);
      if (whole && value >= -limit && value < limit) return value;
    } else if (wrappedNumber(value) === undefined) {
      return this.#wrongType(kindOf(value), shape.go);
    }
    return this.#wrongType(`number ${stringifyJson(value, asRead)}`, shape.go);
  }

  // The members of the earlier value at the same path, if it was an object.
  // INVARIANT: none of them is ever read that is not its own, since JSON holds nothing of a prototype.
  #known(live: unknown): JsonObject | undefined {
    if (this.#origins === undefined || typeof live !== 'object' || live === null) return undefined;
    return live as JsonObject;
  }

  #list(shape: Shape, value: unknown, live: unknown, dependent: Dependent | undefined): unknown {
    if (!Array.isArray(value)) return this.#wrongType(kindOf(value), shape.go);
    const element = shape.element as Shape;
    const list: unknown[] = new Array(value.length);
    const known = this.#known(live);
    const elements = known && new LiveElements(known);
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      const before = elements?.for(item, index);
      if (dependent === undefined && isTakenOver(item, before)) {
        list[index] = item;
      } else {
        this.#place.push(index);
        list[index] = this.value(element, item, before, dependent) ?? zero(element);
        this.#place.pop();
      }
      if (typeof before === 'object' && before !== null) this.#note(list[index], before);
    }
    return list;
  }

  #note(element: unknown, origin: object): void {
    if (typeof element !== 'object' || element === null) return;
    this.#origins?.set(element, origin);
  }

  #map(shape: Shape, value: unknown, live: unknown, dependent: Dependent | undefined): unknown {
    if (!isObject(value)) return this.#wrongType(kindOf(value), shape.go);
    const element = shape.element as Shape;
    const map: JsonObject = {};
    const known = this.#known(live);
    for (const key of Object.keys(value)) {
      const item = value[key];
      const before = known?.[key];
      if (dependent === undefined && isTakenOver(item, before)) {
        setKey(map, key, item);
        continue;
      }
      this.#place.push(key);
      setKey(map, key, this.value(element, item, before, dependent) ?? zero(element));
      this.#place.pop();
    }
    return map;
  }

  #bytes(shape: Shape, value: unknown): unknown {
    if (Array.isArray(value)) return this.#byteList(value);
    if (typeof value !== 'string') return this.#wrongType(kindOf(value), shape.go);
    const bytes = decodeBase64(value);
    if (!('error' in bytes)) return encodeBase64(bytes);
    return this.#fail(bytes.error);
  }

  /** Go fills bytes from a list of numbers too. */
  #byteList(value: readonly unknown[]): unknown {
    for (const item of value) {
      if (item === null) continue;
      if (typeof item !== 'number') this.#wrongType(kindOf(item), 'uint8');
      else if (!Number.isInteger(item) || item < 0 || item > 255) {
        this.#wrongType(`number ${stringifyJson(item, asRead)}`, 'uint8');
      }
    }
    return encodeBase64(Uint8Array.from(value, (item) => Number(item ?? 0)));
  }

  #quantity(value: unknown): unknown {
    const text =
      typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : stringifyJson(value, asRead);
    const quantity = parseQuantity(text.trim());
    if ('error' in quantity) throw this.#refusal(quantity.error);
    return formatQuantity(quantity);
  }

  #intOrString(value: unknown): unknown {
    if (typeof value === 'string') return value;
    const isInteger = typeof value === 'bigint' || Number.isInteger(value);
    const integer = isInteger ? Number(value) : Number.NaN;
    if (integer >= -(2 ** 31) && integer < 2 ** 31) return integer;
    const kind = kindOf(value);
    throw this.#refusal(
      this.#text(kind === 'number' ? `number ${stringifyJson(value, asRead)}` : kind, 'int32'),
    );
  }

  #time(kind: 'time' | 'microtime', value: unknown): unknown {
    if (typeof value !== 'string') throw this.#refusal(this.#text(kindOf(value), 'string'));
    const time = canonicalTime(value, kind);
    if (time === null) this.hasZeroTime = true;
    else if (typeof time !== 'string') throw this.#refusal(time.error);
    return time;
  }

  #wrongType(found: string, go: string): undefined {
    return this.#fail(this.#text(found, go));
  }

  #fail(error: string): undefined {
    if (this.error !== undefined) return;
    this.error = error;
    this.errorPlace = [...this.#place];
  }

  #text(found: string, go: string): string {
    const place =
      this.#path.length > 0
        ? `struct field ${this.#outer ?? this.#struct}.${this.#path.join('.')}`
        : 'value';
    return `json: cannot unmarshal ${found} into Go ${place} of type ${go}`;
  }

  #unknown(key: string): void {
    if (this.unknownFields.length >= maxUnknownFields) return;
    const parts = [...this.#place, key].map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      return at === 0 ? part : `.${part}`;
    });
    this.unknownFields.push(parts.join(''));
  }
}

function inAnyCase({ fields }: StructType, key: string): Field | undefined {
  const folded = key.toLowerCase();
  return fields.find(({ name }) => name.toLowerCase() === folded);
}

// JavaScript lists numeric keys first, in any position. No kind has such fields, and they do not matter in a text, but
// the result of a JSON patch is sorted.
function keysInOrder(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  const code = keys[0]?.charCodeAt(0) ?? 0;
  return code >= 0x30 && code <= 0x39 ? keys.sort(compareText) : keys;
}

// Decoded parts are reused.
function isTakenOver(value: unknown, live: unknown): boolean {
  return value === live && value !== null && value !== undefined;
}

const schemaProps: Shape = parseShape('apiextensions.v1.JSONSchemaProps');
const schemaList: Shape = parseShape('[]apiextensions.v1.JSONSchemaProps');
const strings: Shape = parseShape('[]string');

/**
 * Selects how a value is read if its JSON schema allows alternatives (apiextensions, `marshal.go`). Returns a
 * message if it is rejected, and `undefined` if it is not inspected.
 */
const schemaAlternatives: Readonly<Record<string, (value: unknown) => Shape | string | undefined>> =
  {
    schemaorbool: (value) => {
      if (isObject(value)) return schemaProps;
      return typeof value === 'boolean' ? undefined : 'boolean or JSON schema expected';
    },
    schemaorarray: (value) => {
      if (isObject(value)) return schemaProps;
      return Array.isArray(value) ? schemaList : undefined;
    },
    schemaorstrings: (value) => {
      if (isObject(value)) return schemaProps;
      return Array.isArray(value) ? strings : undefined;
    },
  };

/** Returns the zero value for null in a list or a map; `undefined` for nil. */
function zero(shape: Shape): unknown {
  if (shape.pointer) return undefined;
  return shape.kind === 'struct' ? {} : zeroScalar(shape);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      if (wrappedNumber(value) !== undefined) return 'number';
      return isObject(value) || value === null ? 'object' : describeValue(value);
  }
}
