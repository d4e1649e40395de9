import { expect, test } from 'vitest';
import { ownSizesOf, sizeOf } from '../src/bundle.ts';

/** What a page imports, and the most that it may load for it at once, in bytes after minification and gzip. */
const limits: readonly (readonly [statement: string, most: number])[] = [
  ["export { evaluate } from '@kubeadmit/cel'", 54_500],
  ["export { estimateCost } from '@kubeadmit/cel/estimate'", 4_000],
  ["export { parseExpression } from '@kubeadmit/cel'", 8_000],
  ["export { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors'", 11_000],
  ["export { compileRegex } from '@kubeadmit/go'", 10_000],
  ["export { diffJson } from '@kubeadmit/mutator'", 3_000],
  ["export * from '@kubeadmit/engine'", 106_000],
  ["export { admit, prepareCluster } from '@kubeadmit/admission'", 150_000],
];

test.each(limits)('%s is at most %i bytes', { timeout: 60_000 }, async (statement, most) => {
  const size = await sizeOf(statement);
  console.info(`NOTE: ${statement}: ${size} bytes gzip`);
  expect(size).toBeLessThanOrEqual(most);
  // What is not there any more needs no limit that is so high.
  expect(size).toBeGreaterThan(most * 0.5 - 2_000);
});

test('the language service adds less than 40 kB to what it uses', { timeout: 60_000 }, async () => {
  const { atOnce, whole } = await ownSizesOf('@kubeadmit/language');
  console.info(
    `NOTE: the language service by itself: ${atOnce} bytes gzip, ${whole} with what is loaded when it is asked`,
  );
  expect(atOnce).toBeLessThanOrEqual(25_000);
  expect(atOnce).toBeGreaterThan(10_000);
  // All of it, the words about fields and functions included.
  expect(whole).toBeLessThanOrEqual(53_000);
});
