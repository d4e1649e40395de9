import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ExpressionReference, Failure } from './failure.ts';

/** The resources of one evaluation. */
export interface Run {
  /** Counts elements that were handled; a failure once the evaluation has handled too many. */
  spend(elements: number): Failure | undefined;
  /** A failure for a value that the expression has made too large. */
  weigh(value: unknown): Failure | undefined;
  /** The time of the evaluation in milliseconds since 1970, where it is known. */
  readonly now: number | undefined;
}

/** A compiled expression: a value, or a `Failure`. */
export type Step = (value: unknown, run: Run) => unknown;

/**
 * The types that arguments are checked against, by the names that error messages use, and the values that functions
 * receive.
 */
export interface ArgumentTypes {
  number: number;
  string: string;
  /** A list, or a result of `items`, which only some functions accept as a list. */
  array: unknown;
  object: JsonObject;
  'array[number]': readonly number[];
  'array[string]': readonly string[];
  expref: ExpressionReference;
  any: unknown;
}

/** The name of such a type. */
export type ArgumentType = keyof ArgumentTypes;

/** A function of JMESPath. */
export interface FunctionEntry {
  /** The types that each argument may have; where it is missing nothing is checked, not even the count. */
  readonly parameters?: readonly (readonly ArgumentType[])[];
  /** Whether more arguments than parameters may follow; types are not checked then. */
  readonly variadic?: boolean;
  /** Returns a value or a `Failure`; gets arguments of the right types. */
  readonly apply: (args: readonly unknown[], run: Run) => unknown;
}

/** The functions by name. */
export type FunctionTable = ReadonlyMap<string, FunctionEntry>;
