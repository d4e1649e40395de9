import type { CallCost } from '../library.ts';
import { codePointCount } from '../text/code-points.ts';
import { isList, isMap } from '../values/kind.ts';
import { mapSize } from '../values/maps.ts';
import { OpaqueValue, Optional, type Value } from '../values/value.ts';

// What calls cost: the defaults of cel-go's `CostTracker`.

const stringFactor = 0.1;
const regexFactor = 0.25;

/** The size that costs are computed from: elements, entries, bytes or code points; 1 for all else. */
export function costSize(value: Value): number {
  if (typeof value === 'string') {
    return codePointCount(value);
  }
  if (isList(value) || value instanceof Uint8Array) {
    return value.length;
  }
  if (isMap(value)) {
    return mapSize(value);
  }
  if (value instanceof Optional && value.value !== undefined) {
    return costSize(value.value);
  }
  return value instanceof OpaqueValue ? value.costSize : 1;
}

/** The cost of going once through a value of a size, of which strings are ten to one step. */
export function traversalCost(size: number): number {
  return Math.ceil(size * stringFactor);
}

/** The cost of matching a text with a regular expression, both given by their sizes. */
export function matchCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * stringFactor) * Math.ceil(patternSize * regexFactor);
}

/** The cost of going through the smaller one of two values. */
export function comparisonCost(_: Value, left: Value, right: Value): number {
  return typeof left === 'string' && typeof right === 'string'
    ? textComparisonCost(left, right)
    : traversalCost(Math.min(costSize(left), costSize(right)));
}

function textComparisonCost(left: string, right: string): number {
  const shorter = left.length <= right.length ? left : right;
  // Up to ten units are at most ten code points, and those cost 1.
  if (shorter.length <= 10) {
    return shorter.length === 0 ? 0 : 1;
  }
  const count = codePointCount(shorter);
  const longer = shorter === left ? right : left;
  // A code point takes at most two units: such a text has no fewer of them.
  return traversalCost(
    longer.length >= 2 * count ? count : Math.min(count, codePointCount(longer)),
  );
}

function firstTraversal(_: Value, value: Value): number {
  return traversalCost(costSize(value));
}

function secondTraversal(_: Value, __: Value, value: Value): number {
  return traversalCost(costSize(value));
}

/** The cost of going through both values. */
export function bothTraversals(_: Value, left: Value, right: Value): number {
  return traversalCost(costSize(left) + costSize(right));
}

const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', secondTraversal],
  ['ends_with_string', secondTraversal],
  ['string_to_bytes', firstTraversal],
  ['bytes_to_string', firstTraversal],
  ['strings_quote', firstTraversal],
  ['string_format', firstTraversal],
  ['in_list', (_: Value, __: Value, list: Value): number => costSize(list)],
  ...['string', 'bytes'].flatMap((kind): [string, CallCost][] => [
    [`less_${kind}`, comparisonCost],
    [`less_equals_${kind}`, comparisonCost],
    [`greater_${kind}`, comparisonCost],
    [`greater_equals_${kind}`, comparisonCost],
    [`add_${kind}`, bothTraversals],
  ]),
  ['equals', comparisonCost],
  ['not_equals', comparisonCost],
  ...['matches', 'matches_string'].map((id): [string, CallCost] => [
    id,
    (_: Value, text: Value, pattern: Value): number => matchCost(costSize(text), costSize(pattern)),
  ]),
  [
    'contains_string',
    (_: Value, text: Value, part: Value): number =>
      traversalCost(costSize(text)) * traversalCost(costSize(part)),
  ],
]);

/** The cost of a call of the overload; 1 where cel-go knows of no other. */
export function standardCost(overload: string): CallCost {
  return costs.get(overload) ?? 1;
}
