import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownSizesOf, sizeOf } from '../src/bundle.ts';

/** Import statements with the most bytes that a page may load for them at once, after minification and gzip. */
const limits: readonly (readonly [statement: string, most: number])[] = [
  ["export { evaluate } from '@kubeadmit/cel'", 50_000],
  ["export { estimateCost } from '@kubeadmit/cel/estimate'", 4_500],
  ["export { parseExpression } from '@kubeadmit/cel/syntax'", 8_000],
  ["export { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors'", 11_000],
  ["export { compileRegex } from '@kubeadmit/go'", 10_000],
  ["export { diffJson } from '@kubeadmit/mutator'", 3_000],
  ["export * from '@kubeadmit/engine'", 98_000],
  ["export { admit, prepareCluster } from '@kubeadmit/admission'", 180_000],
];

test.each(limits)('%s is at most %i bytes', async (statement, most) => {
  const size = await sizeOf(statement);
  console.info(`NOTE: ${statement}: ${size} bytes gzip`);
  expect(size).toBeLessThanOrEqual(most);
  // A limit that is far too high must be lowered.
  expect(size).toBeGreaterThan(most * 0.5 - 2_000);
});

// Counts all code of the package, whenever it is loaded, but not the packages that it imports, which a page already
// loads for verdicts.
// Texts are data and have separate limits. For Kubernetes policies, code and texts together are also limited, with
// everything that the playground requests.
// The playground does not load navigation, and it loads the Kyverno part with the first Kyverno file.
test('the language service adds at most 43 kB to a page', async () => {
  const sizes = await ownSizesOf('@kubeadmit/language');
  const [answers, navigation] = ['features/answers.ts', 'features/navigation.ts'] as const;
  const kyverno = 'features/kyverno-part.ts';
  const words = { native: 'words/policy-words.ts', kyverno: 'words/kyverno-words.ts' } as const;
  const start = sizes.with();
  const code = sizes.with(answers, navigation, kyverno);
  const texts = {
    native: sizes.with(words.native) - start,
    kyverno: sizes.with(words.kyverno) - start,
  };
  const native = sizes.with(answers) + texts.native;
  const kyvernoToo = sizes.with(answers, kyverno) + texts.native + texts.kyverno;
  console.info(
    `NOTE: the language service by itself: ${code} bytes gzip of code in all, ${start} of it at once; words ${texts.native}, those of Kyverno ${texts.kyverno}; all that is asked of policies of Kubernetes ${native} with words, with files of Kyverno ${kyvernoToo}`,
  );
  expect(code).toBeLessThanOrEqual(43_000);
  expect(native).toBeLessThanOrEqual(42_000);
  expect(start).toBeLessThanOrEqual(11_500);
  expect(texts.native).toBeLessThanOrEqual(10_000);
  expect(texts.kyverno).toBeLessThanOrEqual(10_500);
  expect(kyvernoToo).toBeLessThanOrEqual(56_000);
  // Nothing else is loaded later.
  expect(code + texts.native + texts.kyverno).toBe(sizes.whole);
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
