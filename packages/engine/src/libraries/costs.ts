import type { Value } from '@kubeadmit/cel';
import {
  type CallCost,
  equalityCost,
  matchCost,
  ownCostSize,
  traversalCost,
} from '@kubeadmit/cel/declarations';
import { isList, isMap, mapGet, mapKeys } from '@kubeadmit/cel/values';
import { byteLength } from '@kubeadmit/go';
import { NamedFormatValue } from './format.ts';

// Costs of calls by function name: apiserver's `CostEstimator.CallCost` (cost.go).

const checkCost = 350_000;

function firstTraversal(_: Value, value: Value): number {
  return traversalCost(ownCostSize(value));
}

function twiceFirstTraversal(_: Value, value: Value): number {
  return traversalCost(ownCostSize(value) * 2);
}

function joinCost(result: Value): number {
  return traversalCost(ownCostSize(result) * 2);
}

function regexCost(_: Value, text: Value, pattern: Value): number {
  return matchCost(ownCostSize(text), ownCostSize(pattern));
}

function selectorCost(_: Value, __: Value, selector: Value): number {
  const size = ownCostSize(selector);
  const list = 10;
  const struct = 40;
  return list + traversalCost(size) + Math.ceil(size * 0.5) * (list + struct);
}

/** The cost of looking at all of a value, with a tenth of the bytes of texts (rounded down). */
function wholeCost(value: Value): number {
  if (typeof value === 'string') return Math.trunc(byteLength(value) * 0.1);
  if (value instanceof Uint8Array) return Math.trunc(value.length * 0.1);
  if (isList(value)) return value.reduce<number>((sum, element) => sum + wholeCost(element), 0);
  if (isMap(value)) {
    return mapKeys(value).reduce<number>(
      (sum, key) => sum + wholeCost(key) + wholeCost(mapGet(value, key) ?? null),
      0,
    );
  }
  return 1;
}

function wholeFirst(_: Value, value: Value): number {
  return wholeCost(value);
}

function containsIpTextCost(_: Value, cidr: Value, text: Value): number {
  return twiceFirstTraversal(_, cidr) + traversalCost(ownCostSize(text));
}

function containsCidrCost(_: Value, cidr: Value): number {
  return twiceFirstTraversal(_, cidr) + firstTraversal(_, cidr) + 1;
}

function containsCidrTextCost(_: Value, cidr: Value, text: Value): number {
  return containsCidrCost(_, cidr) + traversalCost(ownCostSize(text));
}

function validateCost(_: Value, format: Value, text: Value): number {
  return format instanceof NamedFormatValue
    ? matchCost(ownCostSize(text), format.format.regexSize)
    : 1;
}

/** The quantity that the cost of a call depends on. */
export type CostRule =
  | 'check'
  | 'selector'
  | 'elements'
  | 'text'
  | 'textTwice'
  | 'joinedText'
  | 'pattern'
  | 'addressInNetwork'
  | 'networkInNetwork'
  | 'format'
  | 'equality';

/** The cost of each rule, and the functions that it applies to. */
const rules: readonly (readonly [rule: CostRule, cost: CallCost, functions: string])[] = [
  ['check', checkCost, 'check'],
  ['selector', selectorCost, 'fieldSelector labelSelector'],
  ['elements', wholeFirst, 'isSorted sum max min indexOf lastIndexOf includes'],
  ['text', firstTraversal, 'url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr ip'],
  ['text', firstTraversal, 'isIP isCIDR quantity isQuantity semver isSemver'],
  ['textTwice', twiceFirstTraversal, 'replace split ip.isCanonical'],
  ['joinedText', joinCost, 'join'],
  ['pattern', regexCost, 'find findAll'],
  ['addressInNetwork', twiceFirstTraversal, 'containsIP'],
  ['networkInNetwork', containsCidrCost, 'containsCIDR'],
  ['format', validateCost, 'validate'],
  ['equality', equalityCost, '_==_'],
];

/** The functions for which Kubernetes has a cost rule that differs from cel-go's. */
export const costRules: ReadonlyMap<string, CostRule> = new Map(
  rules.flatMap(([rule, , functions]) => functions.split(' ').map((name) => [name, rule])),
);

const byFunction: ReadonlyMap<string, CallCost> = new Map(
  rules.flatMap(([, cost, functions]) => functions.split(' ').map((name) => [name, cost])),
);

const byOverload: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['cidr_ip', 1],
  ['cidr_contains_ip_string', containsIpTextCost],
  ['cidr_contains_cidr_string', containsCidrTextCost],
]);

/**
 * Returns the cost that Kubernetes charges for a call, by the function and in some cases the overload; `undefined`
 * if cel-go's cost applies.
 */
export function kubernetesCallCost(name: string, overload: string): CallCost | undefined {
  return byOverload.get(overload) ?? byFunction.get(name);
}
