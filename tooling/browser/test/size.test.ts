import { readdirSync, readFileSync } from 'node:fs';
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

test.each(limits)('%s is at most %i bytes', async (statement, most) => {
  const size = await sizeOf(statement);
  console.info(`NOTE: ${statement}: ${size} bytes gzip`);
  expect(size).toBeLessThanOrEqual(most);
  // What is not there any more needs no limit that is so high.
  expect(size).toBeGreaterThan(most * 0.5 - 2_000);
});

// Counted is everything of the package, code and words, that a page loads in which policies of Kubernetes are written,
// and diagnostics, fixes, completion, hovers, signatures and values are asked for, as the playground does. What it uses,
// and what is not counted: the packages that it imports, which the page has for its verdicts. A page loads more with the
// first file of Kyverno. Counted apart are what finds places and names and what is shown in texts, which the playground
// does not ask for, and suites of tests, which it has not.
test('the language service adds at most 40 kB to what a page uses', async () => {
  const sizes = await ownSizesOf('@kubeadmit/language');
  const { whole: words } = await ownSizesOf('@kubeadmit/language/words');
  const [answers, kyverno] = ['features/answers.ts', 'features/kyverno-part.ts'] as const;
  const [navigation, suites] = ['features/navigation.ts', 'fields/json-schema-types.ts'] as const;
  const [start, page] = [sizes.with(), sizes.with(answers)];
  const withKyverno = sizes.with(answers, kyverno);
  console.info(
    `NOTE: the language service by itself: ${start} bytes gzip at once, ${page} with all that is asked of policies of Kubernetes, ${withKyverno} with those of Kyverno, ${sizes.whole} in all; words alone ${words}`,
  );
  expect(page).toBeLessThanOrEqual(40_000);
  expect(start).toBeLessThanOrEqual(14_500);
  expect(start).toBeGreaterThan(10_000);
  expect(withKyverno).toBeLessThanOrEqual(53_500);
  // Words are a part of these, and nothing else is loaded later.
  expect(words).toBeLessThanOrEqual(17_500);
  expect(sizes.with(answers, kyverno, navigation, suites)).toBe(sizes.whole);
  expect(sizes.whole).toBeLessThanOrEqual(60_500);
});

test('the playground asks for nothing that is counted apart', () => {
  const worker = new URL('../../../apps/docs-site/src/worker/', import.meta.url);
  const asked = readdirSync(worker)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, worker), 'utf8').matchAll(/\bservice\.(\w+)\(/g),
    ])
    .map(([, method]) => method);
  const known = ['setDocument', 'deleteDocument', 'diagnostics', 'codeActions'];
  const answered = ['completion', 'hover', 'signatureHelp'];
  expect([...new Set(asked)].sort()).toEqual([...known, ...answered].sort());
});
