import { expect, test } from 'vitest';
import { bundle } from '../src/bundle.ts';

const largestLanguage = 55_000;

test('the language without re2js and ANTLR is small', { timeout: 60_000 }, async () => {
  const { gzipSize } = await bundle('language.ts', ['re2js', 'antlr4ng']);
  console.info(`NOTE: @kubeadmit/cel without re2js: ${gzipSize} bytes gzip`);
  expect(gzipSize).toBeGreaterThan(30_000);
  expect(gzipSize).toBeLessThanOrEqual(largestLanguage);
});
