import type { CelError, Value } from './value.ts';

/**
 * A list that is compared and added in its own way, such as one that stands for a set (cel-go's `traits.Lister`).
 *
 * Everything else sees the array that it is; what is made of it, by filtering for instance, is a plain list.
 */
export abstract class Lister extends Array<Value> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The Go type that error texts name. */
  get goType(): string {
    return '*types.baseList';
  }

  /** The result of `this == other`. */
  abstract equals(other: Value): boolean | CelError;

  /** The result of `value in this`. */
  abstract contains(value: Value): boolean | CelError;

  /** The result of `this + other`. */
  abstract add(other: Value): Value;
}
