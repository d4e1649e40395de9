import { getOrMake } from '@kubeadmit/base';
import { numberOf } from '../values/json-value.ts';
import { isConvertedSame } from './schema-facts.ts';

/** The values of an enum, indexed: a list can have as many items as the enum has values. */
export class EnumValues {
  /** The values as JSON. */
  readonly text: string;
  readonly #values: ReadonlyMap<unknown, readonly unknown[]>;

  constructor(allowed: readonly unknown[]) {
    this.text = JSON.stringify(allowed);
    const values = new Map<unknown, unknown[]>();
    for (const each of new Set(allowed)) getOrMake(values, keyOf(each), () => []).push(each);
    this.#values = values;
  }

  /** Whether a value is one of them once Go has converted it to their type. */
  has(value: unknown): boolean {
    return keysFor(value).some((key) =>
      this.#values.get(key)?.some((each) => isConvertedSame(value, each)),
    );
  }
}

/** The key of a value: a string or number itself, and one key for all others. */
function keyOf(value: unknown): unknown {
  if (typeof value === 'string') return value;
  return numberOf(value) ?? anyOther;
}

const anyOther: unique symbol = Symbol('anyOther');

/** The keys of all values that a value may be converted to. */
function keysFor(value: unknown): readonly unknown[] {
  const number = numberOf(value);
  if (number === undefined) return [keyOf(value)];
  const isCodePoint = Number.isInteger(number) && number >= 0 && number <= 0x10ffff;
  const text = isCodePoint ? String.fromCodePoint(number) : '\ufffd';
  return [number, Math.trunc(number), text, '\ufffd'];
}

const known: WeakMap<readonly unknown[], EnumValues> = new WeakMap();

/** Returns the values of the enum of a schema. */
export function enumValuesOf(allowed: readonly unknown[]): EnumValues {
  return getOrMake(known, allowed, () => new EnumValues(allowed));
}
