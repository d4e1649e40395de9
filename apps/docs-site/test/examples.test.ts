import { readdirSync, readFileSync } from 'node:fs';
import { readLines } from '@kubeadmit/test-support';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, type OpenPage, openSite, readyPlayground, type Site } from './site.ts';

const folder = new URL('../../../examples/', import.meta.url);

interface Recorded {
  readonly response: { readonly allowed: boolean; readonly status?: { readonly message?: string } };
}

const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'kyverno')
  .map(({ name }) => name);

describe.skipIf(chromium === undefined)('examples in the page', () => {
  let site: Site;
  let opened: OpenPage;
  beforeAll(async () => {
    site = await openSite();
    opened = await site.open('playground/');
    await readyPlayground(opened.page);
  });
  afterAll(() => site?.close());

  test('each of the list opens without anything wrong in its files', async () => {
    const { page, problems } = opened;
    const list = page.getByLabel('Example');
    const values = await list
      .locator('option')
      .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value).filter(Boolean));
    expect(values.length).toBeGreaterThan(names.length);
    for (const value of values) {
      const judged = await page.textContent('.judgements');
      await list.selectOption(value);
      await expect.poll(() => page.textContent('.judgements')).not.toBe(judged);
      await page.waitForSelector('.judgements[aria-busy=false]');
      expect([value, await page.locator('.problems .error').allTextContents()]).toEqual([
        value,
        [],
      ]);
    }
    expect(problems).toEqual([]);
  });

  test.each(names)('%s gives what kube-apiserver answers', async (name) => {
    const files = Object.fromEntries(
      readdirSync(new URL(`${name}/`, folder))
        .filter((file) => file.endsWith('.yaml'))
        .map((file) => [file, readFileSync(new URL(`${name}/${file}`, folder), 'utf8')]),
    );
    const expected = readLines<Recorded>(new URL(`${name}/expected.ndjson`, folder)).map(
      ({ response: { allowed, status } }) => ({ allowed, message: status?.message ?? null }),
    );
    const { page, problems } = opened;
    await page.evaluate((given) => window.kubeadmit?.open(given), files);
    const shown = await page.locator('article.object').evaluateAll((cards) =>
      cards.map((card) => ({
        allowed: !card.matches('.denied, .failed'),
        message: card.querySelector('.status-message')?.textContent ?? null,
      })),
    );
    expect(shown).toEqual(expected);
    expect(problems).toEqual([]);
  });
});
