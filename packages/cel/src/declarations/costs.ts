import { codePointCount } from '@kubeadmit/go';
import { isList, isMap, isPlainObject } from '../values/kind.ts';
import { isEmptyObject, mapSize } from '../values/maps.ts';
import { OpaqueValue, Optional, type Value } from '../values/value.ts';
import type { CallCost } from './library.ts';

// Costs of calls: the defaults of cel-go's `CostTracker`.

const stringFactor = 0.1;
const regexFactor = 0.25;

/** The size that costs are computed from: elements, entries, bytes or code points; 1 for all else. */
function costSize(value: Value): number {
  if (typeof value === 'string') return codePointCount(value);
  if (isList(value) || value instanceof Uint8Array) return value.length;
  if (isMap(value)) return mapSize(value);
  if (value instanceof Optional && value.value !== undefined) return costSize(value.value);
  return value instanceof OpaqueValue ? value.costSize : 1;
}

/** The size that cel-go's extensions and Kubernetes compute costs from: neither looks into optional values. */
export function ownCostSize(value: Value): number {
  return value instanceof Optional ? 1 : costSize(value);
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
function comparisonCost(_: Value, left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return textComparisonCost(left, right);
  return traversalCost(Math.min(costSize(left), costSize(right)));
}

/** As {@link comparisonCost}, for environments that compare opaque values at once. */
export function equalityCost(_: Value, left: Value, right: Value): number {
  return left instanceof OpaqueValue ? 1 : comparisonCost(_, left, right);
}

function comparisonCostGiven(
  cost: Exclude<CallCost, number>,
  text: string,
): Exclude<CallCost, number> {
  const size = codePointCount(text);
  const most = traversalCost(size);
  return (result: Value, left: Value): number => {
    if (typeof left !== 'string') return cost(result, left, text);
    // A code point takes at most two units: such a text has no fewer of them.
    if (left.length >= 2 * size || most <= 1) return left.length === 0 ? 0 : most;
    return traversalCost(Math.min(size, codePointCount(left)));
  };
}

/** The cost of comparing with null, whose size is 1. */
function nullComparisonCost(_: Value, left: Value): number {
  // No need to count entries: a map with one entry is not smaller.
  return traversalCost(
    isPlainObject(left) ? Number(!isEmptyObject(left)) : Math.min(costSize(left), 1),
  );
}

function textComparisonCost(left: string, right: string): number {
  const shorter = left.length <= right.length ? left : right;
  if (shorter.length <= 10) return traversalOf(shorter);
  const count = codePointCount(shorter);
  if (left === right) return traversalCost(count);
  const longer = shorter === left ? right : left;
  // A code point takes at most two units: such a text has no fewer of them.
  return traversalCost(
    longer.length >= 2 * count ? count : Math.min(count, codePointCount(longer)),
  );
}

/** The cost of going once through a value. */
function traversalOf(value: Value): number {
  // Up to ten units are at most ten code points, and those cost 1.
  return typeof value === 'string' && value.length <= 10
    ? Math.min(value.length, 1)
    : traversalCost(costSize(value));
}

function firstTraversal(_: Value, value: Value): number {
  return traversalOf(value);
}

function secondTraversal(_: Value, __: Value, value: Value): number {
  return traversalOf(value);
}

/** The cost of going through both values. */
export function bothTraversals(_: Value, left: Value, right: Value): number {
  return traversalCost(costSize(left) + costSize(right));
}

function matchingCost(_: Value, text: Value, pattern: Value): number {
  return matchCost(costSize(text), costSize(pattern));
}

function containsCost(_: Value, text: Value, part: Value): number {
  return traversalOf(text) * traversalOf(part);
}

/** The same cost where the second argument is known, with its part computed already. */
export function costGiven(cost: CallCost, second: Value | undefined): CallCost {
  if (second === undefined) return cost;
  const size = costSize(second);
  switch (cost) {
    case comparisonCost:
    case equalityCost:
      return typeof second === 'string'
        ? comparisonCostGiven(cost, second)
        : second === null
          ? nullComparisonCost
          : cost;
    case secondTraversal:
      return traversalCost(size);
    case matchingCost:
      return (_: Value, text: Value): number => matchCost(costSize(text), size);
    case containsCost: {
      const part = traversalCost(size);
      return (_: Value, text: Value): number => traversalOf(text) * part;
    }
    default:
      return cost;
  }
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
  ['matches', matchingCost],
  ['matches_string', matchingCost],
  ['contains_string', containsCost],
]);

/** The cost of a call of the overload; 1 where cel-go knows of no other. */
export function standardCost(overload: string): CallCost {
  return costs.get(overload) ?? 1;
}
