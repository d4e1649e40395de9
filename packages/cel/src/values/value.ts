import {
  doubleType,
  durationType,
  dynType,
  errorType,
  formatDeclaredType,
  optionalOf,
  type Type,
  timestampType,
  typeType,
  uintType,
} from './types.ts';

const optionalOfDyn: Type = optionalOf(dynType);

/** An int: a number with an integral value, or a bigint beyond ±(2^53 - 1) and within 64 bits. */
export type Int = number | bigint;

/**
 * Any CEL value.
 *
 * Data stays as `JSON.parse` made it: null, booleans, strings, arrays and plain objects represent themselves; a number
 * with an integral value is an int, any other number a double. Values without a JSON form are a {@link SpecialValue}
 * (or a `Uint8Array` for bytes).
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Value[]
  | SpecialValue
  | PlainObject;

/** A map with string keys as `JSON.parse` makes it; only its own properties count. */
export interface PlainObject {
  /** The members. */
  readonly [key: string]: Value;
}

/** The base of every value that is neither JSON nor bytes, which distinguishes them from plain objects. */
export abstract class SpecialValue {
  /** The type at run time, as `type()` returns it. */
  abstract get type(): Type;
}

/** The integral doubles (`1.0`, `-0.0`); all other doubles are plain numbers. */
export class Double extends SpecialValue {
  /** The number; not a number and the infinities too. */
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  /** The type `double`. */
  get type(): Type {
    return doubleType;
  }

  /** The number, which JSON writes without saying that it is a double. */
  toJSON(): number {
    return this.value;
  }
}

/** An unsigned 64-bit integer. */
export class Uint extends SpecialValue {
  /** The number, from 0 to 2^64 - 1. */
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  /** The type `uint`. */
  get type(): Type {
    return uintType;
  }
}

/**
 * A point in time: whole seconds since 1970-01-01T00:00:00Z, nanoseconds (0 to 999,999,999) after
 * it, and the offset from UTC, in seconds, in which it is printed.
 */
export class Timestamp extends SpecialValue {
  /** Seconds since 1970-01-01T00:00:00Z; negative before. */
  readonly seconds: number;
  /** The part of a second, from 0 to 999,999,999. */
  readonly nanoseconds: number;
  /** The offset of its zone, in seconds east of UTC. */
  readonly offset: number;

  constructor(seconds: number, nanoseconds: number, offset: number = 0) {
    super();
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
    this.offset = offset;
  }

  /** The type `google.protobuf.Timestamp`. */
  get type(): Type {
    return timestampType;
  }
}

/** A length of time in nanoseconds, within a signed 64-bit integer. */
export class Duration extends SpecialValue {
  /** The whole length, in nanoseconds; negative for durations back in time. */
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }

  /** The type `google.protobuf.Duration`. */
  get type(): Type {
    return durationType;
  }
}

/** An optional value; {@link Optional.none} is the one without. */
export class Optional extends SpecialValue {
  /** The optional without a value. */
  static readonly none: Optional = new Optional(undefined);
  /** The value, or `undefined` for `optional.none()`. */
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  /** The type `optional_type`. */
  get type(): Type {
    return optionalOfDyn;
  }
}

/** A type as a value: `type(1)`, `int`. */
export class TypeValue extends SpecialValue {
  /** The type that this value names. */
  readonly named: Type;

  constructor(named: Type) {
    super();
    this.named = named;
  }

  /** The type `type`. */
  get type(): Type {
    return typeType;
  }

  override toString(): string {
    return formatDeclaredType(this.named);
  }
}

/**
 * A failed evaluation, as a value, so that `&&`, `||`, `all` and `exists` can absorb it.
 *
 * The same object goes up from the part of the expression that made it: a watcher sees where.
 */
export class CelError extends SpecialValue {
  /** cel-go's text. */
  readonly message: string;

  constructor(message: string) {
    super();
    this.message = message;
  }

  /** The type of errors. */
  get type(): Type {
    return errorType;
  }
}

/**
 * A value of an abstract type, such as a quantity or an IP address.
 *
 * `goType` is the name that kube-apiserver's texts use for the kind of value (`cel.Quantity`).
 */
export abstract class OpaqueValue extends SpecialValue {
  /** The name of the type in kube-apiserver's messages. */
  abstract readonly goType: string;
  /** Equality with any other value; a {@link CelError} where the comparison itself fails. */
  abstract equals(other: Value): boolean | CelError;
  /** The result of `string(value)`; `undefined` when there is no such conversion. */
  text(): string | undefined {
    return undefined;
  }
  /** Whether Go can use it as a key of a map; a type that holds slices or functions cannot be one. */
  get isHashable(): boolean {
    return true;
  }
  /** The `size` that costs depend on; 1 unless the type overrides it. */
  get costSize(): number {
    return 1;
  }
}

/**
 * An object with named fields that are computed or checked when read, such as `variables` or
 * `Object{…}`.
 */
export abstract class StructValue extends SpecialValue {
  /** The object of the host that it is, where it is one. */
  declare readonly host?: object;
  /** Whether Go holds it as a map, with which structs and maps can be compared. */
  declare readonly isMapToGo?: boolean;
  /** The field's value; `undefined` when it is not set or unknown. */
  abstract get(field: string): Value | undefined;
  /** Whether the field is set; a {@link CelError} if that is undecidable. */
  abstract has(field: string): boolean | CelError;
  /** Equality with any other value. */
  abstract equals(other: Value): boolean | CelError;
}
