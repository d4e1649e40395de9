import { dns1123LabelProblems, labelValueProblems } from '@kubeadmit/apimachinery/names';
import { compareQuantities } from '@kubeadmit/apimachinery/quantity';
import { compareSemver } from '@kubeadmit/apimachinery/semver';
import { expect, test } from 'vitest';

// Invalid arguments, and the errors for them.
const cases: readonly (readonly [why: string, call: () => unknown, told: string])[] = [
  [
    'texts are parsed before they are compared',
    () => compareQuantities('1' as never, '2' as never),
    'compareQuantities: expected a quantity that `parseQuantity` gave, got the string "1"',
  ],
  [
    'a number is no name, and not one without problems',
    () => dns1123LabelProblems(3 as never),
    'dns1123LabelProblems: expected a string, got the number 3',
  ],
  [
    'YAML reads `true` as a boolean',
    () => labelValueProblems(true as never),
    'labelValueProblems: expected a string, got the boolean true',
  ],
  [
    'versions are parsed before they are compared',
    () => compareSemver('1.2.3' as never, '1.2.4' as never),
    'compareSemver: expected a version that `parseSemver` gave, got the string "1.2.3"',
  ],
];

test.each(cases)('%s', (_, call, told) => {
  expect(call).toThrow(new TypeError(told));
});
