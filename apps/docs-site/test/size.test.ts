import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, openSite, type Site } from './site.ts';

/** Bytes that a page loads until its first verdict is there, after gzip. */
const limits = { playground: 450_000, home: 390_000 } as const;

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
    await page.addInitScript(noteWhenShown, verdict);
    const sizes = new Map<string, Promise<number>>();
    const starts = new Map<string, number>();
    page.context().on('response', (response) => {
      starts.set(new URL(response.url()).pathname, response.request().timing().startTime);
      const compressed = response.body().then(
        (body) => (/\.woff2$/.test(response.url()) ? body.byteLength : gzipSync(body).byteLength),
        () => 0,
      );
      sizes.set(new URL(response.url()).pathname, compressed);
    });
    await page.goto(site.address + path);
    const shown = await page.evaluate(whenShown);
    const all = await Promise.all(
      [...sizes]
        .filter(([url]) => (starts.get(url) ?? 0) <= shown.epoch)
        .map(async ([url, size]) => [url, await size] as const),
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
    // A page without scripts comes before it, so that nothing is counted but what is asked for.
    const { page } = await site.open('llms.txt');
    await page.addInitScript(noteWhenShown, 'article.object');
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${site.address}playground/`);
    const { milliseconds, isLaidOut } = await page.evaluate(whenShown);
    // The layout around the playground starts after the verdict.
    expect(isLaidOut).toBe(false);
    await page.waitForFunction(() => window.isLaidOut?.());
    // The worker that the page started before anything else answered, and no other.
    expect(page.workers()).toHaveLength(1);
    expect(await page.evaluate(() => window.kubeadmitWorker)).toBeUndefined();
    console.info(
      `NOTE: first verdict, processor slowed four times: ${Math.round(milliseconds)} ms after the page was asked for`,
    );
    await page.context().close();
  });
});

/** When something was there to be seen: since the page was asked for, and since 1970. */
interface Shown {
  readonly milliseconds: number;
  readonly epoch: number;
  /** Whether the layout of the site was at work by then. */
  readonly isLaidOut: boolean;
}

declare global {
  interface Window {
    whenShown?: Promise<Shown>;
    isLaidOut?: () => boolean;
  }
}

/** Runs in the page, before anything else: notes when what a selector means was painted first. */
function noteWhenShown(selector: string): void {
  const isLaidOut = (): boolean => {
    const app = document.getElementById('app');
    return app !== null && '__vue_app__' in app;
  };
  window.isLaidOut = isLaidOut;
  window.whenShown = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      const wasLaidOut = isLaidOut();
      requestAnimationFrame(() =>
        setTimeout(() => {
          const milliseconds = performance.now();
          const epoch = performance.timeOrigin + milliseconds;
          resolve({ milliseconds, epoch, isLaidOut: wasLaidOut });
        }),
      );
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}

function whenShown(): Promise<Shown> {
  return window.whenShown as Promise<Shown>;
}
