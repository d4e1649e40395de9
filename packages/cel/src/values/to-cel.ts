import { setKey } from '@kubeadmit/go/internal';
import { dynType, formatCelType, isOptionalType, type Type } from '../types.ts';
import { accepts } from './accepts.ts';
import { hostKind, hostName } from './host-kind.ts';
import { reasonOf } from './host-limit.ts';
import { isIntegral, isMap, makeDouble } from './kind.ts';
import { CelMap } from './map.ts';
import { Double, Optional, Timestamp, Uint, type Value } from './value.ts';

/** Makes the values of types that JavaScript and CEL do not share, such as registered object types. */
export interface HostTypes {
  /** The value of an instance or object of a named type; `undefined` where the type is not known here. */
  valueOf(object: object, type: Type): Value | undefined;
  /** The type that instances of a registered class have. */
  typeOfInstance(object: object): Type | undefined;
}

/** Thrown where a value of JavaScript has no value in CEL, or not of the type; says which and why. */
export class Unconvertible extends Error {}

/** Like Go's decoder of JSON. */
const deepest = 10_000;

/**
 * The value of CEL for a value of JavaScript, of a type where one is wanted.
 *
 * What is a value already stays the same object, so that data as `JSON.parse` gives it costs a look and no copy.
 * Members that are `undefined` are absent. Throws {@link Unconvertible}.
 */
export function convert(
  value: unknown,
  type: Type,
  name: string,
  types: HostTypes | undefined,
): Value {
  if (type.kind === 'dyn' || type.kind === 'string') {
    if (typeof value === 'string') return value;
    if (type.kind === 'dyn') {
      if (value === null || typeof value === 'boolean') return value;
      if (typeof value === 'number') return dynamicNumber(value);
    }
  }
  if (type.kind === 'dyn' && isValueAlready(value)) return value;
  const converter = new Converter(name, types);
  try {
    return converter.convert(value, type);
  } catch (failure) {
    throw failure instanceof Unconvertible ? failure : converter.failed(failure);
  }
}

/** Whether a number is one of CEL as it is: an int that is exact, or no integral number. */
export function isOrdinaryNumber(value: number): boolean {
  if ((value | 0) === value && value !== 0) return true;
  return Number.isInteger(value) ? Number.isSafeInteger(value) && !Object.is(value, -0) : true;
}

/** Whether a value is one of CEL as it is, with all that is in it: what `JSON.parse` gives is, with few exceptions. */
export function isValueAlready(value: unknown): value is Value {
  try {
    return isPlain(value, 0);
  } catch {
    // A getter or a proxy that throws: the converter tells where.
    return false;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return isOrdinaryNumber(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth >= deepestPlain) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) {
    // Takes less time than asking for all keys before.
    for (const key in value) {
      if (!isPlain((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return false;
    }
    return true;
  }
  if (prototype !== Array.prototype || !Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) {
    if (!isPlain(value[index], depth + 1)) return false;
  }
  return true;
}

/** So that what contains itself, and what is too deep, is looked at by the converter, which says so. */
const deepestPlain = 64;

class Converter {
  readonly #name: string;
  readonly #types: HostTypes | undefined;
  readonly #path: (string | number)[] = [];
  readonly #around: object[] = [];

  constructor(name: string, types: HostTypes | undefined) {
    this.#name = name;
    this.#types = types;
  }

  convert(value: unknown, type: Type): Value {
    if (type.nullable && value === null) return null;
    switch (type.kind) {
      case 'dyn':
      case 'any':
      case 'param':
        return this.#dynamic(value);
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
    return BigInt.asIntN(64, exact) === exact ? plainInt(exact) : this.#refuse(value, type);
  }

  #list(value: unknown, type: Type): Value {
    const kind = hostKind(value);
    if (kind === 'set') return this.#elements([...(value as Set<unknown>)], type, value as object);
    return kind === 'list'
      ? this.#elements(value as readonly unknown[], type, value as object)
      : this.#refuse(value, type);
  }

  #elements(list: readonly unknown[], type: Type, holder: object): readonly Value[] {
    const element = type.parameters[0] ?? dynType;
    this.#enter(holder);
    let copy: Value[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const given = list[index];
      const at = this.#path.push(index);
      const value = this.convert(given, element);
      this.#path.length = at - 1;
      if (copy === undefined && !Object.is(value, given)) copy = list.slice(0, index) as Value[];
      copy?.push(value);
    }
    this.#around.pop();
    return copy ?? (list as readonly Value[]);
  }

  #map(value: unknown, type: Type): Value {
    const [keyType = dynType, entryType = dynType] = type.parameters;
    const kind = hostKind(value);
    if (kind === 'map') return this.#entries(value as Map<unknown, unknown>, value as object, type);
    if (kind === 'value' && isMap(value as Value)) {
      return accepts(type)(value as Value) ? (value as Value) : this.#refuse(value, type);
    }
    if (kind !== 'object') return this.#refuse(value, type);
    return keyType.kind === 'string' || keyType.kind === 'dyn' || keyType.kind === 'param'
      ? this.#members(value as Readonly<Record<string, unknown>>, entryType)
      : this.#refuse(value, type);
  }

  #members(object: Readonly<Record<string, unknown>>, type: Type): Value {
    this.#enter(object);
    let copy: Record<string, Value> | undefined;
    const keys = Object.keys(object);
    // Of an instance of a class only its own members are seen.
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) copy = {};
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const at = this.#path.push(key);
      const given = object[key];
      const value = given === undefined ? undefined : this.convert(given, type);
      this.#path.length = at - 1;
      if (copy === undefined && (value === undefined || !Object.is(value, given))) {
        copy = {};
        for (const before of keys.slice(0, index)) setKey(copy, before, object[before] as Value);
      }
      if (copy !== undefined && value !== undefined) setKey(copy, key, value);
    }
    this.#around.pop();
    return copy ?? (object as Value);
  }

  #entries(entries: Iterable<readonly [unknown, unknown]>, holder: object, type: Type): Value {
    const [keyType = dynType, entryType = dynType] = type.parameters;
    this.#enter(holder);
    const map = new CelMap();
    for (const [key, entry] of entries) {
      const converted = this.convert(key, keyType);
      if (typeof converted === 'object' && !(converted instanceof Uint)) {
        this.#fail(`${hostName(key)} is no key of a map: keys are strings, integers or booleans`);
      }
      if (entry === undefined) continue;
      const at = this.#path.push(String(key));
      map.set(converted, this.convert(entry, entryType));
      this.#path.length = at - 1;
    }
    this.#around.pop();
    return map;
  }

  #special(value: unknown, type: Type): Value {
    const kind = hostKind(value);
    if (type.kind === 'timestamp' && kind === 'date') return this.#timestamp(value as Date);
    if (type.kind === 'bytes' && (kind === 'bytes' || kind === 'buffer')) return this.#bytes(value);
    if (isOptionalType(type) && value === undefined) return Optional.none;
    if (kind === 'value') {
      return accepts(type)(value as Value) ? (value as Value) : this.#refuse(value, type);
    }
    const known =
      typeof value === 'object' && value !== null ? this.#types?.valueOf(value, type) : undefined;
    return known ?? this.#refuse(value, type);
  }

  #dynamic(value: unknown): Value {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return dynamicNumber(value);
      case 'bigint':
        if (BigInt.asIntN(64, value) === value) return plainInt(value);
        return this.#fail(`${value} is beyond the 64 bits of an int`);
      default:
        return value === null ? null : this.#object(value);
    }
  }

  #object(value: unknown): Value {
    const kind = hostKind(value);
    const type =
      kind === 'value' || typeof value !== 'object' || value === null
        ? undefined
        : this.#types?.typeOfInstance(value);
    if (type !== undefined) return this.convert(value, type);
    switch (kind) {
      case 'value':
        return value as Value;
      case 'list':
        return this.#elements(value as readonly unknown[], dynType, value as object);
      case 'set':
        return this.#elements([...(value as Set<unknown>)], dynType, value as object);
      case 'object':
        return this.#members(value as Readonly<Record<string, unknown>>, dynType);
      case 'map':
        return this.#entries(value as Map<unknown, unknown>, value as object, dynType);
      case 'date':
        return this.#timestamp(value as Date);
      case 'bytes':
      case 'buffer':
        return this.#bytes(value);
      case 'boxed':
        return this.#dynamic((value as object).valueOf());
      default:
        return this.#fail(`${hostName(value)} has no value in CEL${advice(value)}`);
    }
  }

  #timestamp(value: Date): Value {
    const milliseconds = value.getTime();
    if (Number.isNaN(milliseconds)) return this.#fail('an invalid Date is no timestamp');
    const seconds = Math.floor(milliseconds / 1000);
    if (seconds < -62_135_596_800 || seconds > 253_402_300_799) {
      return this.#fail('a Date before year 1 or after year 9999 is no timestamp');
    }
    return new Timestamp(seconds, (milliseconds - seconds * 1000) * 1_000_000);
  }

  #bytes(value: unknown): Uint8Array {
    return value instanceof Uint8Array ? value : new Uint8Array(value as ArrayBuffer);
  }

  #enter(object: object): void {
    const around = this.#around;
    around.push(object);
    if (around.length % 512 === 0 && new Set(around).size < around.length) {
      this.#path.length = 3;
      this.#fail('the value contains itself');
    }
    if (around.length > deepest) {
      this.#path.length = 3;
      this.#fail('the value is nested too deeply');
    }
  }

  /** What a failure while reading the value is: one of a getter, a proxy or the stack. */
  failed(failure: unknown): Unconvertible {
    if (failure instanceof RangeError && /stack|recursion/.test(failure.message)) {
      const isCyclic = new Set(this.#around).size < this.#around.length;
      this.#path.length = 3;
      return this.#problem(
        isCyclic ? 'the value contains itself' : 'the value is nested too deeply',
      );
    }
    return this.#problem(`reading the value failed: ${reasonOf(failure)}`);
  }

  #refuse(value: unknown, type: Type): never {
    const wanted = formatCelType(type);
    return this.#fail(`${describe(value)} is no ${wanted}${advice(value) || hint(value, type)}`);
  }

  #fail(problem: string): never {
    throw this.#problem(problem);
  }

  #problem(text: string): Unconvertible {
    const path = this.#path
      .map((step) =>
        typeof step === 'number'
          ? `[${step}]`
          : /^[A-Za-z_]\w*$/.test(step)
            ? `.${step}`
            : `[${JSON.stringify(step)}]`,
      )
      .join('');
    return new Unconvertible(`\`${this.#name}${path}\`: ${text}`);
  }
}

function plainInt(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

function dynamicNumber(value: number): Value {
  if (Number.isSafeInteger(value)) return value + 0;
  if (!Number.isInteger(value)) return value;
  return isIntegral(value) ? BigInt(value) : new Double(value);
}

function describe(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  return typeof value === 'string' ? 'a string' : hostName(value);
}

function advice(value: unknown): string {
  const name = hostName(value);
  if (name === 'a Promise') return ': wait for it (`await`) before evaluating';
  if (typeof value === 'function') return ': call it, or register it as a function';
  return '';
}

function hint(value: unknown, type: Type): string {
  if (typeof value !== 'string') return '';
  switch (type.kind) {
    case 'timestamp':
      return ': give a `Date`, or declare a string and write `timestamp(…)`';
    case 'duration':
      return ': give a `Duration`, or declare a string and write `duration(…)`';
    case 'bytes':
      return ': give a `Uint8Array`, or declare a string and write `bytes(…)`';
    default:
      return '';
  }
}
