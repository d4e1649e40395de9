import { isJoined } from './concat-list.ts';
import type { Value } from './value.ts';

// What cel-go's answers tell of a value beyond what it is: where it comes from. Values do not carry it, since data is
// evaluated as it is given, and nobody else pays for the few who ask: error texts, comparisons and patches.

/** A form of Go in which data is held that is no JSON to Go. */
export interface GoForm {
  readonly kind: 'struct' | 'map' | 'list';
  /** Of structs: whether another struct, of whatever type, is the same to Go. */
  isSame?(struct: object, other: object, otherForm: GoForm): boolean;
}

/** Tells in which form of Go a list or map of the data is held; `undefined` when it is JSON there too. */
export type GoFormOf = (container: object) => GoForm | undefined;

// INVARIANT: that of the evaluation under way, which is synchronous; `Program.evaluate` alone sets it.
let formOf: GoFormOf | undefined;

/** Begins an evaluation over such data, or goes on with an outer one, and gives what the last was over. */
export function enterData(next: GoFormOf | undefined): GoFormOf | undefined {
  const before = formOf;
  formOf = next;
  return before;
}

/** The form of Go in which a value is held; `undefined` for all that is no such data. */
export function goFormOf(value: Value): GoForm | undefined {
  if (formOf === undefined || typeof value !== 'object' || value === null) return undefined;
  return formOf(value);
}

const literals = new WeakSet<readonly Value[]>();

/** Marks a list that stands in an expression, so that it is not taken for one of the data. */
export function markLiteral(list: readonly Value[]): readonly Value[] {
  literals.add(list);
  return list;
}

/** Whether a list stands in an expression: cel-go holds its elements as values of CEL. */
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
