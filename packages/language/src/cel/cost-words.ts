import type { CostRule } from '@kubeadmit/engine/environment';

/** The costs of calls for which Kubernetes has separate rules. */
export const ruleCosts: Readonly<Record<CostRule, string>> = {
  check: '350 000',
  selector: 'depends on the size of the selector',
  elements: 'the length of the list',
  text: '0.1 × the length of the string',
  textTwice: '0.2 × the length of the string',
  joinedText: '0.2 × the length of the result',
  pattern: '0.1 × the length of the string × 0.25 × the length of the pattern',
  addressInNetwork: '0.2 × the length of the network + 0.1 × the length of the address',
  networkInNetwork: '0.3 × the length of the network + 0.1 × the length of the other network',
  format: '0.1 × the length of the string × 0.25 × the length of the pattern of the format',
  equality: '0.1 × the length of the shorter string',
};

/** The costs of calls for which CEL and its libraries charge other than 1. */
export const libraryCosts: readonly (readonly [text: string, names: readonly string[]])[] = [
  ['0.1 × the length of the string', ['startsWith', 'endsWith', 'bytes', 'string']],
  ['0.1 × the length of the string × 0.25 × the length of the pattern', ['matches']],
  ['0.1 × the length of one string × 0.1 × the length of the other', ['contains']],
  ['the length of the list', ['slice', 'reverse', 'flatten', 'range']],
  ['the square of the length of the list', ['distinct', 'sort', 'sortBy']],
  [
    'the product of the lengths of both lists',
    ['sets.contains', 'sets.equivalent', 'sets.intersects'],
  ],
];
