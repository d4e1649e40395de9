import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { Site } from './site.ts';

/** The files loaded for a page until its first verdict was painted, with sizes in bytes after gzip. */
export interface FirstLoad {
  readonly total: number;
  readonly files: readonly (readonly [path: string, bytes: number])[];
  readonly layoutShift: number;
}

/** The time of the first verdict, since navigation and since 1970. */
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
    layoutShift?: number;
  }
}

/** The selectors of the first verdict on each page. */
export const firstVerdicts = {
  playground: 'article.object',
  home: '.live-example .good, .live-example .bad',
} as const;

/** Opens a page and counts its requests and bytes until its first verdict. */
export async function firstLoad(site: Site, path: string, verdict: string): Promise<FirstLoad> {
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
  const files = await Promise.all(
    [...sizes]
      .filter(([url]) => (starts.get(url) ?? 0) <= shown.epoch)
      .map(async ([url, size]) => [url, await size] as const),
  );
  await page.waitForFunction(() => window.isLaidOut?.());
  const layoutShift = await page.evaluate(() => window.layoutShift ?? 0);
  await page.context().close();
  return {
    total: files.reduce((sum, [, size]) => sum + size, 0),
    files: files.toSorted(([, a], [, b]) => b - a),
    layoutShift,
  };
}

/** Opens the playground with its main thread slowed so many times, and gives when its first verdict was painted. */
export async function slowedVerdict(
  site: Site,
  rate: number,
): Promise<{ readonly page: Page; readonly shown: Shown }> {
  // Opens a page without scripts first, so that only the playground itself is measured.
  const { page } = await site.open('llms.txt');
  await page.addInitScript(noteWhenShown, firstVerdicts.playground);
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate });
  await page.goto(`${site.address}playground/`);
  return { page, shown: await page.evaluate(whenShown) };
}

/** Runs in the page, before everything else: records when an element of a selector was first painted. */
function noteWhenShown(selector: string): void {
  // Functions have no names here: the page does not know the helper that tsx adds for names.
  window.isLaidOut = () => '__vue_app__' in (document.getElementById('app') ?? document.body);
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        readonly value: number;
        readonly hadRecentInput: boolean;
      };
      if (!hadRecentInput) window.layoutShift = (window.layoutShift ?? 0) + value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  window.whenShown = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      const isLaidOut = window.isLaidOut?.() === true;
      requestAnimationFrame(() =>
        setTimeout(() => {
          const milliseconds = performance.now();
          const epoch = performance.timeOrigin + milliseconds;
          resolve({ milliseconds, epoch, isLaidOut });
        }),
      );
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}

function whenShown(): Promise<Shown> {
  return window.whenShown as Promise<Shown>;
}
