import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibleParts, violationsInBothModes, violationsOfPlayground } from './accessibility.ts';
import { beyond, budgets, costOf } from './budget.ts';
import { chromium, dist, laidOut, openSite, readyPlayground, type Site } from './site.ts';

const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html') && path !== '404.html')
  .sort();

/** One page of each kind; the others are made alike, and a tool asks about them: `pnpm run accessibility`. */
const kinds = [
  'index.html',
  'guides/writing-policies.html',
  'examples/replica-limits.html',
  'conformance.html',
  'performance.html',
  'reference/policy-fields.html',
  'reference/commands/check.html',
  'reference/api/custom-resources.html',
  '404.html',
];

/** The parts of the playground that a screen reader must find, in this order. */
const partsOfPlayground = [
  'heading Playground',
  'region Controls',
  'combobox Example',
  'combobox Kubernetes',
  'combobox Compare with',
  'button Share',
  'button Export',
  'button Import',
  'button Copy as kubectl',
  'region Files',
  'tablist Open files',
  'tab policy.yaml',
  'tab bad.yaml',
  'button New file',
  'button Close this file',
  'textbox Text of policy.yaml',
  'region Results',
  'DisclosureTriangle Request: CREATE by kubernetes-admin',
  'status (polite)',
  'heading Deployment shop/web',
  'button good.yaml:1',
  'heading CronJob checkout/nightly-report',
  'button bad.yaml:21',
];

describe('built pages', () => {
  test.each(pages)('%s has a policy for its content, and its links resolve', (path) => {
    const html = readFileSync(join(dist, path), 'utf8');
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

  test('each page has a unique title and description', () => {
    const found = pages.map((path) => {
      const html = readFileSync(join(dist, path), 'utf8');
      const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
      const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
      return { path, title, description };
    });
    const short = found.filter(
      ({ title, description }) => title.length < 10 || description.length < 30,
    );
    expect(short).toEqual([]);
    for (const name of ['title', 'description'] as const) {
      const texts = found.map((each) => each[name]);
      expect(found.filter((_, index) => texts.indexOf(texts[index] ?? '') !== index)).toEqual([]);
    }
  });

  test('each folder has an index page that links to all of its pages', () => {
    for (const folder of new Set(pages.map((path) => dirname(path)))) {
      expect(pages).toContain(join(folder, 'index.html'));
    }
    const linked = (path: string): readonly string[] =>
      [...readFileSync(join(dist, path), 'utf8').matchAll(/href="\/([^"#]*)"/g)].map(
        ([, link = '']) => link,
      );
    for (const folder of ['guides', 'reference']) {
      const links = linked(`${folder}/index.html`);
      const within = pages.filter((path) => dirname(path) === folder);
      expect(
        within.filter((path) => !links.includes(path)),
        folder,
      ).toEqual([`${folder}/index.html`]);
    }
  });

  test('without JavaScript the playground explains what to do', () => {
    const html = readFileSync(join(dist, 'playground/index.html'), 'utf8');
    const [, text = ''] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? [];
    expect(text).toContain('needs JavaScript');
    const [, guide = ''] = /href="\.\.\/([^"]*)"/.exec(text) ?? [];
    expect(existsSync(join(dist, guide))).toBe(true);
  });

  test.each(pages)('%s has its Markdown beside it', (path) => {
    const markdown = path.replace(/html$/, 'md');
    expect(existsSync(join(dist, markdown))).toBe(true);
    expect(readFileSync(join(dist, 'llms.txt'), 'utf8')).toContain(`(/${markdown})`);
  });
});

describe.skipIf(chromium === undefined)('pages in the browser', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  test.each(kinds)('%s keeps its budget, and has nothing that keeps people out', async (path) => {
    const { page, problems } = await site.open(path, { reducedMotion: 'reduce' });
    await laidOut(page);
    const budget = path === 'index.html' ? budgets.home : budgets.page;
    expect(beyond(await costOf(page), budget)).toEqual([]);
    expect(await violationsInBothModes(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test.each(
    ['conformance.html', 'guides/writing-policies.html'].flatMap((path) =>
      [1280, 1600].map((width) => [path, width] as const),
    ),
  )(
    'the outline of %s stands in its place before the text is there, %i wide',
    async (path, width) => {
      const { page } = await site.open(path, { viewport: { width, height: 800 } });
      await laidOut(page);
      const places = await page.evaluate(() =>
        [false, true].map((isEarly) => {
          if (isEarly) document.querySelector('.VPDoc > .container > .content')?.remove();
          return document.querySelector('.VPDoc .aside-container')?.getBoundingClientRect().left;
        }),
      );
      expect(places[0]).toBeGreaterThan(width / 2);
      expect(places[1]).toBe(places[0]);
      await page.context().close();
    },
  );

  test('the playground keeps its budget, and nothing of it keeps people out, its conversion neither', async () => {
    const { page, problems } = await site.open('playground/', { reducedMotion: 'reduce' });
    await readyPlayground(page);
    await page.locator('.files .cm-content').waitFor();
    expect(beyond(await costOf(page), budgets.playground)).toEqual([]);
    expect(await violationsOfPlayground(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('names every part of the playground for screen readers, and announces verdicts', async () => {
    const { page } = await site.open('playground/');
    await readyPlayground(page);
    await page.locator('.files .cm-content').waitFor();
    const parts = await accessibleParts(page);
    expect(parts.filter((part) => partsOfPlayground.includes(part))).toEqual(partsOfPlayground);
    await page.evaluate(() => window.kubeadmit?.open({}));
    await expect
      .poll(async () => {
        const told = await accessibleParts(page);
        return told[told.lastIndexOf('status (polite)') + 1];
      })
      .toMatch(/^StaticText No objects to check · /);
    await page.context().close();
  });

  test('keeps clicks and keys from before the layout is ready', async () => {
    const { page } = await site.open('llms.txt');
    let start = (): void => undefined;
    const mayStart = new Promise<void>((resolve) => {
      start = resolve;
    });
    await page.route('**/assets/app.*.js', async (route) => {
      await mayStart;
      await route.continue();
    });
    await page.goto(`${site.address}guides/first-verdict.html`, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Search' }).click();
    start();
    await page.locator('#localsearch-input').waitFor();
    await page.context().close();
  });

  test('the search finds a function without a request to another host', async () => {
    const { page, problems } = await site.open('guides/first-verdict.html');
    const input = page.locator('#localsearch-input');
    await page.keyboard.press('Control+k');
    await input.waitFor();
    await input.fill('isSorted');
    await page.waitForSelector('#localsearch-list a');
    await expect.poll(() => page.textContent('#localsearch-list')).toContain('CEL functions');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('a missing page shows that it is missing', async () => {
    const { page } = await site.open('404.html');
    await expect.poll(() => page.textContent('body')).toContain('404');
    await page.context().close();
  });
});

function resolves(link: string): boolean {
  const [path = ''] = link.split(/[?#]/);
  const file = path.endsWith('/') ? `${path}index.html` : path;
  return existsSync(join(dist, file)) || existsSync(join(dist, `${file}.html`));
}
