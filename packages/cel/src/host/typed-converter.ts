import { accepts } from '../values/accepts.ts';
import { hostKind, hostName } from '../values/host-kind.ts';
import { isMap, makeDouble, makeInt } from '../values/kind.ts';
import { advice, Converter } from '../values/to-cel.ts';
import { dynType, formatCelType, isOptionalType, type Type } from '../values/types.ts';
import { Double, Optional, Uint, type Value } from '../values/value.ts';

export interface KnownTypes {
  /** The value of an instance or object of a named type; `undefined` where the type is not known here. */
  valueOf(object: object, type: Type): Value | undefined;
  /** The type that instances of a registered class have. */
  typeOfInstance(object: object): Type | undefined;
}

/** Makes values of the types that are declared: apart, for those who declare none. */
export class TypedConverter extends Converter {
  readonly #types: KnownTypes;

  constructor(name: string, types: KnownTypes) {
    super(name);
    this.#types = types;
  }

  override convert(value: unknown, type: Type): Value {
    if (type.nullable && value === null) return null;
    switch (type.kind) {
      case 'dyn':
      case 'any':
      case 'param':
        return this.dynamic(value);
      case 'string':
      case 'bool':
      case 'null':
        return this.#scalar(value, type);
      case 'int':
      case 'uint':
      case 'double':
        return this.#number(value, type);
      case 'list':
        return this.#list(value, type);
      case 'map':
        return this.#map(value, type);
      default:
        return this.#special(value, type);
    }
  }

  protected override instance(object: object): Value | undefined {
    const type = this.#types.typeOfInstance(object);
    return type && this.convert(object, type);
  }

  #scalar(value: unknown, type: Type): Value {
    const plain = hostKind(value) === 'boxed' ? (value as object).valueOf() : value;
    if (
      type.kind === 'null'
        ? plain === null
        : typeof plain === (type.kind === 'bool' ? 'boolean' : 'string')
    ) {
      return plain as Value;
    }
    return this.#refuse(value, type);
  }

  #number(given: unknown, type: Type): Value {
    const value = hostKind(given) === 'boxed' ? (given as object).valueOf() : given;
    if (type.kind === 'double') {
      if (typeof value === 'number') return makeDouble(value);
      if (value instanceof Double) return value;
      return typeof value === 'bigint' ? makeDouble(Number(value)) : this.#refuse(value, type);
    }
    if (value instanceof Uint && type.kind === 'uint') return value;
    const isWhole =
      typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
    if (!isWhole) return this.#refuse(value, type);
    const exact = BigInt(value as number | bigint);
    if (type.kind === 'uint') {
      return BigInt.asUintN(64, exact) === exact ? new Uint(exact) : this.#refuse(value, type);
    }
    return BigInt.asIntN(64, exact) === exact ? makeInt(exact) : this.#refuse(value, type);
  }

  #list(value: unknown, type: Type): Value {
    const kind = hostKind(value);
    if (kind === 'set') return this.elements([...(value as Set<unknown>)], type, value as object);
    return kind === 'list'
      ? this.elements(value as readonly unknown[], type)
      : this.#refuse(value, type);
  }

  #map(value: unknown, type: Type): Value {
    const [keyType = dynType, entryType = dynType] = type.parameters;
    const kind = hostKind(value);
    if (kind === 'map') return this.entries(value as Map<unknown, unknown>, type);
    if (kind === 'value' && isMap(value as Value)) {
      return accepts(type)(value as Value) ? (value as Value) : this.#refuse(value, type);
    }
    if (kind !== 'object') return this.#refuse(value, type);
    return keyType.kind === 'string' || keyType.kind === 'dyn' || keyType.kind === 'param'
      ? this.members(value as Readonly<Record<string, unknown>>, entryType)
      : this.#refuse(value, type);
  }

  #special(value: unknown, type: Type): Value {
    const kind = hostKind(value);
    if (type.kind === 'timestamp' && kind === 'date') return this.timestamp(value as Date);
    if (type.kind === 'bytes' && (kind === 'bytes' || kind === 'buffer')) return this.bytes(value);
    if (isOptionalType(type) && value === undefined) return Optional.none;
    if (kind === 'value') {
      return accepts(type)(value as Value) ? (value as Value) : this.#refuse(value, type);
    }
    const known =
      typeof value === 'object' && value !== null ? this.#types.valueOf(value, type) : undefined;
    return known ?? this.#refuse(value, type);
  }

  #refuse(value: unknown, type: Type): never {
    const wanted = formatCelType(type);
    return this.fail(
      `expected ${wanted}, got ${describe(value)}${advice(value) || hint(value, type)}`,
    );
  }
}

function describe(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  return typeof value === 'string' ? 'a string' : hostName(value);
}

function hint(value: unknown, type: Type): string {
  if (typeof value !== 'string') return '';
  switch (type.kind) {
    case 'timestamp':
      return ': pass a `Date`, or declare a string and write `timestamp(…)`';
    case 'duration':
      return ': pass a `Duration`, or declare a string and write `duration(…)`';
    case 'bytes':
      return ': pass a `Uint8Array`, or declare a string and write `bytes(…)`';
    default:
      return '';
  }
}
