import { describe, expect, test } from 'vitest';
import { bundle } from '../src/bundle.ts';
import { findChromium } from '../src/chromium.ts';
import { packages } from '../src/everything.ts';
import { runInPage } from '../src/page.ts';

const chromium = findChromium();
if (chromium === undefined) {
  console.warn('SKIPPED: no Chromium was found, so nothing ran in a real browser (set CHROMIUM)');
}

describe.skipIf(chromium === undefined)('in Chromium', () => {
  const executable = chromium ?? '';

  test('every package loads', async () => {
    const { code } = await bundle('everything.ts');
    const loaded = 'Object.values(kubeadmitProof.packages).length';
    expect(await runInPage(executable, code, loaded)).toEqual({
      problems: [],
      value: Object.keys(packages).length,
    });
  });

  test('the page forbids code made from text', async () => {
    const script = 'try { new Function("") } catch (problem) { globalThis.found = problem.name; }';
    const { value } = await runInPage(executable, script, 'found');
    expect(value).toBe('EvalError');
  });
});
