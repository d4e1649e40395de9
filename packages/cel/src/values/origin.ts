import { isJoined } from './concat-list.ts';
import type { Value } from './value.ts';

// The origin of values, on which some of cel-go's answers depend: error messages, comparisons and patches. Values
// do not carry it, because data is evaluated unconverted and other evaluations should not pay for it.

/** A Go form of data that is not JSON to Go. */
export interface GoForm {
  readonly kind: 'struct' | 'map' | 'list';
  /** Of structs: whether another struct, of whatever type, is the same to Go. */
  isSame?(struct: object, other: object, otherForm: GoForm): boolean;
}

/** Returns the Go form of a list or map of the data; `undefined` if it is plain JSON in Go, too. */
export type GoFormOf = (container: object) => GoForm | undefined;

// INVARIANT: that of the evaluation in progress, which is synchronous; `Program.evaluate` alone sets it.
let formOf: GoFormOf | undefined;

/** Begins an evaluation over such data, or resumes an outer one, and returns the previous form. */
export function enterData(next: GoFormOf | undefined): GoFormOf | undefined {
  const before = formOf;
  formOf = next;
  return before;
}

/** Returns the Go form of a value, or `undefined` for values without one. */
export function goFormOf(value: Value): GoForm | undefined {
  if (formOf === undefined || typeof value !== 'object' || value === null) return undefined;
  return formOf(value);
}

const literals = new WeakSet<readonly Value[]>();

/** Marks a list literal of an expression, to distinguish it from lists of the data. */
export function markLiteral(list: readonly Value[]): readonly Value[] {
  literals.add(list);
  return list;
}

/** Whether a list is a literal: cel-go holds its elements as CEL values. */
export function isLiteral(list: readonly Value[]): boolean {
  return literals.has(list);
}

const sums = new WeakSet<readonly Value[]>();

/** Remembers that a list is a sum, which takes longer than most sums. */
export function markSum(list: readonly Value[]): void {
  sums.add(list);
}

/** Whether the list is known to be the sum of two. */
export function isSum(list: readonly Value[]): boolean {
  return isJoined(list) || sums.has(list);
}
