import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Figures } from '../src/build/figures.ts';
import { firstLoad, firstVerdicts, slowedVerdict } from './loads.ts';
import { chromium, openSite, type Site } from './site.ts';

/** Bytes that a page loads until its first verdict is there, after gzip. */
const limits = { playground: 410_000, home: 420_000 } as const;

/** The figures on the performance page. */
const figures = JSON.parse(
  readFileSync(new URL('../figures.json', import.meta.url), 'utf8'),
) as Figures;

describe.skipIf(chromium === undefined)('what pages load', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  test.each([
    ['playground', 'playground/'],
    ['home', ''],
  ] as const)('the %s until its first verdict', async (name, path) => {
    const { total, files, layoutShift } = await firstLoad(site, path, firstVerdicts[name]);
    const largest = files
      .slice(0, 8)
      .map(([url, size]) => `${url.split('/').at(-1)} ${Math.round(size / 1000)}`);
    console.info(
      `NOTE: first load of the ${name}: ${Math.round(total / 1000)} kB gzip (${largest.join(', ')})`,
    );
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThanOrEqual(limits[name]);
    expect(
      Math.abs(total - figures.firstLoad[name]) / total,
      'figures.json is old: pnpm --filter @kubeadmit/docs-site run measure',
    ).toBeLessThan(0.1);
    // Lighthouse considers values up to 0.1 good.
    expect(layoutShift).toBeLessThan(0.05);
    expect(files.length).toBeLessThanOrEqual(120);
  });

  test('the first verdict with a processor four times as slow', async () => {
    const { page, shown } = await slowedVerdict(site, 4);
    // The layout around the playground starts after the verdict.
    expect(shown.isLaidOut).toBe(false);
    await page.waitForFunction(() => window.isLaidOut?.());
    // The worker that the page started before anything else answered, and no other.
    expect(page.workers()).toHaveLength(1);
    expect(await page.evaluate(() => window.kubeadmitWorker)).toBeUndefined();
    console.info(
      `NOTE: first verdict, processor slowed four times: ${Math.round(shown.milliseconds)} ms after the page was asked for`,
    );
    await page.context().close();
  });
});
