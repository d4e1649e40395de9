import { isEqual } from './equal.ts';
import { reasonOf } from './host-limit.ts';
import type { Type } from './types.ts';
import { CelError, StructValue, type Value } from './value.ts';

/** How the members of an object of a named type become values. */
export interface ObjectFields {
  /** The names that the type declares; `undefined` where it takes whatever is there. */
  readonly declared: ReadonlySet<string> | undefined;
  /** The value of a member; a {@link CelError} where it has none, or not of the declared type. */
  convert(field: string, member: unknown): Value;
}

/** An object of the host that has a named type; its members become values when they are read. */
export class ObjectValue extends StructValue {
  /** The host's object, or the one that a literal such as `User{name: 'Ada'}` created. */
  override readonly host: object;
  readonly #named: Type;
  readonly #fields: ObjectFields;
  readonly #known: Map<string, Value | undefined> = new Map();

  constructor(named: Type, host: object, fields: ObjectFields) {
    super();
    this.#named = named;
    this.host = host;
    this.#fields = fields;
  }

  get type(): Type {
    return this.#named;
  }

  get(field: string): Value | undefined {
    if (this.#known.has(field)) return this.#known.get(field);
    const value = this.#read(field);
    this.#known.set(field, value);
    return value;
  }

  has(field: string): boolean {
    return this.get(field) !== undefined;
  }

  equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.#named.name !== this.#named.name) return false;
    if (other.host === this.host) return true;
    const names = new Set([...this.#names(), ...other.#names()]);
    return [...names].every((name) => {
      const [left, right] = [this.get(name), other.get(name)];
      return left === undefined || right === undefined ? left === right : isEqual(left, right);
    });
  }

  #names(): Iterable<string> {
    return this.#fields.declared ?? Object.keys(this.host);
  }

  #read(field: string): Value | undefined {
    const { declared } = this.#fields;
    const isOwn = Object.hasOwn(this.host, field);
    if (declared === undefined ? !isOwn && !isComputed(this.host, field) : !declared.has(field)) {
      return undefined;
    }
    if (!isOwn && field in Object.prototype) return undefined;
    try {
      const member = (this.host as Readonly<Record<string, unknown>>)[field];
      return member === undefined ? undefined : this.#fields.convert(field, member);
    } catch (failure) {
      return new CelError(`reading \`${this.#named.name}.${field}\` failed: ${reasonOf(failure)}`);
    }
  }
}

/** Whether a class computes a member of its instances. */
function isComputed(host: object, field: string): boolean {
  let prototype: unknown = Object.getPrototypeOf(host);
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    const property = Object.getOwnPropertyDescriptor(prototype, field);
    if (property !== undefined) return property.get !== undefined;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}
