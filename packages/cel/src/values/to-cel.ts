import { setKey } from '@kubeadmit/base';
import { hostKind, hostName } from './host-kind.ts';
import { reasonOf } from './host-limit.ts';
import { isIntegral, makeInt } from './kind.ts';
import { CelMap } from './map.ts';
import { isTimestampSecond } from './timestamp-range.ts';
import { dynType, type Type } from './types.ts';
import { Double, Timestamp, Uint, type Value } from './value.ts';

/** Knows of types: those that were registered, and which values those of the language have. */
export interface HostTypes {
  /** The type that instances of a registered class have. */
  typeOfInstance(object: object): Type | undefined;
  /** Creates the converter to these types and those of the language; `name` is the name of the data in messages. */
  converter(name: string): Converter;
}

/** Thrown where a value of JavaScript has no value in CEL, or not of the type; says which and why. */
export class Unconvertible extends Error {}

/** Like Go's decoder of JSON. */
const deepest = 10_000;

/**
 * Converts a JavaScript value to a CEL value, of a type if one is required.
 *
 * A value of CEL stays the same object, so that data from `JSON.parse` is checked and not copied. Members that are
 * `undefined` are absent. Throws {@link Unconvertible}.
 */
export function convert(value: unknown, type: Type, name: string, types: HostTypes): Value {
  if (type.kind === 'dyn' || type.kind === 'string') {
    if (typeof value === 'string') return value;
    if (type.kind === 'dyn') {
      if (value === null || typeof value === 'boolean') return value;
      if (typeof value === 'number') return dynamicNumber(value);
    }
  }
  if (type.kind === 'dyn' && isValueAlready(value)) return value;
  const converter = types.converter(name);
  try {
    return converter.convert(value, type);
  } catch (failure) {
    throw failure instanceof Unconvertible ? failure : converter.failed(failure);
  }
}

/** Whether a number is a CEL value unchanged: an exact int, or not integral. */
export function isOrdinaryNumber(value: number): boolean {
  if ((value | 0) === value && value !== 0) return true;
  return Number.isInteger(value) ? Number.isSafeInteger(value) && !Object.is(value, -0) : true;
}

/**
 * Whether a value with all its content is a CEL value unchanged, as results of `JSON.parse` are with few
 * exceptions.
 */
export function isValueAlready(value: unknown): value is Value {
  try {
    return isPlain(value, 0);
  } catch {
    // A getter or a proxy threw; the converter reports where.
    return false;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return isOrdinaryNumber(value);
  if (typeof value !== 'object') return false;
  if (depth >= deepestPlain) return false;
  // Arrays first: asking for a prototype takes longer.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isPlain(value[index], depth + 1)) return false;
    }
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  // Takes less time than asking for all keys before.
  for (const key in value) {
    if (!isPlain((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return false;
  }
  return true;
}

/** The depth from which the converter looks for cycles and reports values that are nested too deeply. */
const deepestPlain = 64;

/** Makes values of one that was given, and knows where in it it is. */
export class Converter {
  readonly #name: string;
  readonly #path: (string | number)[] = [];
  readonly #around: object[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** The value of any type; only who knows of types gives one of another. */
  convert(value: unknown, _type: Type): Value {
    return this.dynamic(value);
  }

  /** The value of an object that is not as every other; `undefined` for all others. */
  protected instance(_object: object): Value | undefined {
    return undefined;
  }

  protected elements(
    list: readonly unknown[],
    type: Type,
    holder: object = list,
  ): readonly Value[] {
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

  protected members(object: Readonly<Record<string, unknown>>, type: Type): Value {
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

  protected entries(entries: ReadonlyMap<unknown, unknown>, type: Type): Value {
    const [keyType = dynType, entryType = dynType] = type.parameters;
    this.#enter(entries);
    const map = new CelMap();
    for (const [key, entry] of entries) {
      const converted = this.convert(key, keyType);
      if (typeof converted === 'object' && !(converted instanceof Uint)) {
        this.fail(`${hostName(key)} cannot be a map key: keys are strings, integers or booleans`);
      }
      if (entry === undefined) continue;
      const at = this.#path.push(String(key));
      map.set(converted, this.convert(entry, entryType));
      this.#path.length = at - 1;
    }
    this.#around.pop();
    return map;
  }

  protected dynamic(value: unknown): Value {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return dynamicNumber(value);
      case 'bigint':
        if (BigInt.asIntN(64, value) === value) return makeInt(value);
        return this.fail(`${value} is beyond the 64 bits of an int`);
      default:
        return value === null ? null : this.#object(value);
    }
  }

  #object(value: unknown): Value {
    const kind = hostKind(value);
    const special =
      kind === 'value' || typeof value !== 'object' || value === null
        ? undefined
        : this.instance(value);
    if (special !== undefined) return special;
    switch (kind) {
      case 'value':
        return value as Value;
      case 'list':
        return this.elements(value as readonly unknown[], dynType);
      case 'set':
        return this.elements([...(value as Set<unknown>)], dynType, value as object);
      case 'object':
        return this.members(value as Readonly<Record<string, unknown>>, dynType);
      case 'map':
        return this.entries(value as Map<unknown, unknown>, dynType);
      case 'date':
        return this.timestamp(value as Date);
      case 'bytes':
      case 'buffer':
        return this.bytes(value);
      case 'boxed':
        return this.dynamic((value as object).valueOf());
      default:
        return this.fail(`${hostName(value)} has no value in CEL${advice(value)}`);
    }
  }

  protected timestamp(value: Date): Value {
    const milliseconds = value.getTime();
    if (Number.isNaN(milliseconds)) return this.fail('an invalid Date cannot be a timestamp');
    const seconds = Math.floor(milliseconds / 1000);
    if (!isTimestampSecond(seconds)) {
      return this.fail('a Date before year 1 or after year 9999 cannot be a timestamp');
    }
    return new Timestamp(seconds, (milliseconds - seconds * 1000) * 1_000_000);
  }

  protected bytes(value: unknown): Uint8Array {
    return value instanceof Uint8Array ? value : new Uint8Array(value as ArrayBuffer);
  }

  #enter(object: object): void {
    const around = this.#around;
    around.push(object);
    if ((around.length % 512 === 0 && this.#isCyclic) || around.length > deepest) {
      throw this.#tooDeep();
    }
  }

  get #isCyclic(): boolean {
    return new Set(this.#around).size < this.#around.length;
  }

  #tooDeep(): Unconvertible {
    this.#path.length = 3;
    return this.#problem(
      this.#isCyclic ? 'the value contains itself' : 'the value is nested too deeply',
    );
  }

  /** Describes a failure while reading the value: of a getter, a proxy or the stack. */
  failed(failure: unknown): Unconvertible {
    if (failure instanceof RangeError && /stack|recursion/.test(failure.message)) {
      return this.#tooDeep();
    }
    return this.#problem(`reading the value failed: ${reasonOf(failure)}`);
  }

  protected fail(problem: string): never {
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

function dynamicNumber(value: number): Value {
  if (Number.isSafeInteger(value)) return value + 0;
  if (!Number.isInteger(value)) return value;
  return isIntegral(value) ? BigInt(value) : new Double(value);
}

/** Returns advice about a value without a CEL form; may be empty. */
export function advice(value: unknown): string {
  const name = hostName(value);
  if (name === 'a Promise') return ': wait for it (`await`) before evaluating';
  if (typeof value === 'function') return ': call it, or register it as a function';
  return '';
}
