import type { CostRule } from '@kubeadmit/engine/internal';

/** The costs of calls for which Kubernetes has separate rules. */
export const ruleCosts: Readonly<Record<CostRule, string>> = {
  check: '350 000',
  selector: 'grows with the size of its selector',
  elements: 'the size of the list',
  text: 'a tenth of the length of its text',
  textTwice: 'a fifth of the length of its text',
  joinedText: 'a fifth of the length of the text that it makes',
  pattern: 'a tenth of the text times a quarter of the pattern',
  addressInNetwork: 'a fifth of the length of the network, and a tenth of that of the address',
  networkInNetwork: 'three tenths of the length of the network, and a tenth of that of the other',
  format: 'a tenth of the text times a quarter of the pattern of the format',
  equality: 'a tenth of the length of the shorter text',
};

/** The costs of calls for which CEL and its libraries charge other than 1. */
export const libraryCosts: readonly (readonly [text: string, names: readonly string[]])[] = [
  ['a tenth of the length of its text', ['startsWith', 'endsWith', 'bytes', 'string']],
  ['a tenth of the text times a quarter of the pattern', ['matches']],
  ['the product of a tenth of both texts', ['contains']],
  ['the size of the list', ['slice', 'reverse', 'flatten', 'range']],
  ['the square of the size of the list', ['distinct', 'sort', 'sortBy']],
  [
    'the product of the sizes of both lists',
    ['sets.contains', 'sets.equivalent', 'sets.intersects'],
  ],
];
