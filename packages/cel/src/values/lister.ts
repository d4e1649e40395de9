import type { CelError, Value } from './value.ts';

/**
 * A list with its own comparison and addition, such as one that represents a set (cel-go's `traits.Lister`).
 *
 * Everything else sees a plain array, and results such as those of filters are plain lists.
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
