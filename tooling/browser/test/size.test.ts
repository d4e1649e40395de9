import { expect, test } from 'vitest';
import { ownSizesOf, sizeOf } from '../src/bundle.ts';

/** What a page imports, and the most that it may load for it at once, in bytes after minification and gzip. */
const limits: readonly (readonly [statement: string, most: number])[] = [
  ["export { evaluate } from '@kubeadmit/cel'", 52_700],
  ["export { estimateCost } from '@kubeadmit/cel/estimate'", 4_000],
  ["export { parseExpression } from '@kubeadmit/cel'", 8_000],
  ["export { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors'", 11_000],
  ["export { compileRegex } from '@kubeadmit/go'", 10_000],
  ["export { diffJson } from '@kubeadmit/mutator'", 3_000],
  ["export * from '@kubeadmit/engine'", 106_000],
  ["export { admit, prepareCluster } from '@kubeadmit/admission'", 150_400],
];

test.each(limits)('%s is at most %i bytes', { timeout: 60_000 }, async (statement, most) => {
  const size = await sizeOf(statement);
  console.info(`NOTE: ${statement}: ${size} bytes gzip`);
  expect(size).toBeLessThanOrEqual(most);
  // What is not there any more needs no limit that is so high.
  expect(size).toBeGreaterThan(most * 0.5 - 2_000);
});

// Counted is all code of the package, with every part that is loaded when it is first asked for. What it uses, and what
// is not counted: the packages that it imports, which the page has for its verdicts, and the words about fields,
// functions and variables, from which the reference pages of the site are made as well; these have a limit of their own.
test('all of the language service adds at most 40 kB to what it uses', {
  timeout: 60_000,
}, async () => {
  const { atOnce, whole } = await ownSizesOf('@kubeadmit/language', referenceWords);
  const { whole: words } = await ownSizesOf('@kubeadmit/language/words');
  const together = await ownSizesOf('@kubeadmit/language');
  console.info(
    `NOTE: the language service by itself: ${whole} bytes gzip, ${atOnce} of them at once; words ${words}; both in one ${together.whole}`,
  );
  expect(whole).toBeLessThanOrEqual(40_000);
  expect(atOnce).toBeLessThanOrEqual(16_000);
  expect(atOnce).toBeGreaterThan(10_000);
  expect(words).toBeLessThanOrEqual(17_500);
  // Nothing else is left out with them.
  expect(together.whole).toBeLessThanOrEqual(58_500);
  expect(together.whole - whole).toBeLessThanOrEqual(words + 1_000);
});

const referenceWords = [
  'words/costs.ts',
  'words/functions.ts',
  'words/jmespath.ts',
  'words/kyverno-fields.ts',
  'words/kyverno-functions.ts',
  'words/policy-fields.ts',
  'words/shared-fields.ts',
  'words/variables.ts',
];
