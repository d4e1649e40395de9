import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, openSite, readyPlayground, type Site } from './site.ts';

const dist = fileURLToPath(new URL('../.vitepress/dist/', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html') && path !== '404.html')
  .sort();

/** One page of each kind; the others are made alike, and are looked at by hand: `PAGES=all`. */
const kinds =
  process.env['PAGES'] === 'all'
    ? pages
    : [
        'index.html',
        'playground/index.html',
        'guides/writing-policies.html',
        'examples/index.html',
        'examples/replica-limits.html',
        'conformance.html',
        'performance.html',
        'changelog.html',
        'reference/cel.html',
        'reference/policy-fields.html',
        'reference/commands/check.html',
        'reference/api/custom-resources.html',
        'reference/api/matcher.html',
      ];

/** Those whose colours differ from each other. */
const inDark =
  process.env['PAGES'] === 'all'
    ? pages
    : kinds.filter((path) => /^(?:index|playground|guides)/.test(path));

describe('built pages', () => {
  test.each(pages)('%s has a policy for its content, and its links resolve', (path) => {
    const html = readFileSync(dist + path, 'utf8');
    const [, policy = ''] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(/script-src[^;]*unsafe-inline/.test(policy)).toBe(false);
    const links = [...html.matchAll(/\b(?:href|src)="(\/[^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !resolves(link))).toEqual([]);
    const outside = [
      ...html.matchAll(/<(?:script|link|img|iframe)[^>]+(?:href|src)="(?:https?:)?\/\//g),
    ];
    expect(outside).toEqual([]);
  });

  test.each(pages)('%s has its Markdown beside it', (path) => {
    const markdown = path.replace(/html$/, 'md');
    expect(existsSync(dist + markdown)).toBe(true);
    expect(readFileSync(`${dist}llms.txt`, 'utf8')).toContain(`(/${markdown})`);
  });
});

describe.skipIf(chromium === undefined)('pages in the browser', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    test.each(colorScheme === 'light' ? kinds : inDark)(
      `%s has nothing that keeps people out (${colorScheme})`,
      async (path) => {
        const { page, problems } = await site.open(path, { colorScheme, reducedMotion: 'reduce' });
        if (path.startsWith('playground')) {
          await readyPlayground(page);
          await page.waitForSelector('article.object');
        }
        await page.waitForTimeout(300);
        expect(await violationsOf(page)).toEqual([]);
        expect(problems).toEqual([]);
        await page.context().close();
      },
    );
  }

  test('the search finds a function without asking anybody', async () => {
    const { page, problems } = await site.open('guides/first-verdict.html');
    const input = page.locator('#localsearch-input');
    // Keys that are pressed before the page listens are lost.
    await expect
      .poll(
        async () => {
          if ((await input.count()) === 0) await page.keyboard.press('Control+k');
          return input.count();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(1);
    await input.fill('isSorted');
    await page.waitForSelector('#localsearch-list a');
    await expect.poll(() => page.textContent('#localsearch-list')).toContain('CEL functions');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('a page that is not there says so', async () => {
    const { page } = await site.open('404.html');
    await expect.poll(() => page.textContent('body')).toContain('404');
    await page.context().close();
  });
});

/** What axe-core finds on a page: rules and the elements that break them. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

function resolves(link: string): boolean {
  const [path = ''] = link.split(/[?#]/);
  const file = path.endsWith('/') ? `${path}index.html` : path;
  return existsSync(dist + file.slice(1)) || existsSync(`${dist}${file.slice(1)}.html`);
}
