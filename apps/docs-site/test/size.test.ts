import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, openSite, type Site } from './site.ts';

/** Bytes of the first load, after gzip. */
const limits = { playground: 560_000, home: 390_000 } as const;

describe.skipIf(chromium === undefined)('what pages load', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  test.each([
    ['playground', 'playground/', 'article.object'],
    ['home', '', '.live-example .good, .live-example .bad'],
  ] as const)('the %s until its first verdict', async (name, path, verdict) => {
    const page = await site.browser.newPage();
    const sizes = new Map<string, Promise<number>>();
    page.context().on('response', (response) => {
      const compressed = response.body().then(
        (body) => (/\.woff2$/.test(response.url()) ? body.byteLength : gzipSync(body).byteLength),
        () => 0,
      );
      sizes.set(new URL(response.url()).pathname, compressed);
    });
    await page.goto(site.address + path);
    await page.waitForSelector(verdict);
    const all = await Promise.all(
      [...sizes].map(async ([url, size]) => [url, await size] as const),
    );
    const total = all.reduce((sum, [, size]) => sum + size, 0);
    const largest = all
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 8)
      .map(([url, size]) => `${url.split('/').at(-1)} ${Math.round(size / 1000)}`);
    console.info(
      `NOTE: first load of the ${name}: ${Math.round(total / 1000)} kB gzip (${largest.join(', ')})`,
    );
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThanOrEqual(limits[name]);
    await page.context().close();
  });

  test('the first verdict with a processor four times as slow', async () => {
    const { page } = await site.open('404.html');
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const start = performance.now();
    await page.goto(`${site.address}playground/`);
    await page.waitForSelector('article.object');
    console.info(
      `NOTE: first verdict, processor slowed four times: ${Math.round(performance.now() - start)} ms`,
    );
    await page.context().close();
  });
});
