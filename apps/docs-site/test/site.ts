import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, launchChromium } from '@kubeadmit/browser-tests/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { PageInterface } from '../src/playground/page-interface.ts';
import { type Served, serveFolder } from './serve-folder.ts';

/** The folder of the built site: `DIST` names another than the one that is built here. */
export const dist: string = resolve(
  process.env['DIST'] ?? fileURLToPath(new URL('../.vitepress/dist', import.meta.url)),
);

/** The browser to test in; where there is none, nothing of the pages is tested, and the run says so. */
export const chromium: string | undefined = findChromium();

if (chromium === undefined) {
  console.warn('SKIPPED: no Chromium was found, so no page of the site was tested (set CHROMIUM)');
}

/** The built site in a browser. */
export interface Site {
  /** The address of the site, with a slash at its end. */
  readonly address: string;
  readonly browser: Browser;
  /** Opens a page of the site and collects its errors in `problems`. */
  open(path: string, options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

/** A page and its problems: errors, refused requests, and requests to other sites. */
export interface OpenPage {
  readonly page: Page;
  readonly problems: string[];
}

/** Starts a browser for the built site, which is served on this machine unless it is already. */
export async function openSite(served?: Served): Promise<Site> {
  const { address, close } = served ?? (await serveFolder(dist));
  const browser = await launchChromium(chromium ?? '');
  return {
    address,
    browser,
    async open(path, options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('request', (request) => {
        const url = request.url();
        if (!/^(?:data|blob):/.test(url) && !url.startsWith(address)) problems.push(`left: ${url}`);
      });
      await page.goto(new URL(path, address).href);
      return { page, problems };
    },
    async close() {
      await browser.close();
      if (served === undefined) await close();
    },
  };
}

/** Waits until the layout of a page works. */
export async function laidOut(page: Page): Promise<void> {
  await page.waitForFunction(
    () => '__vue_app__' in (document.getElementById('app') ?? document.body),
  );
}

/** Waits until a playground offers itself to scripts, and the layout around it, which starts after it, works too. */
export async function readyPlayground(page: Page): Promise<void> {
  await page.waitForFunction(() => window.kubeadmit !== undefined);
  await laidOut(page);
}

/** Calls `window.kubeadmit.ask` in a page with a line of JSON. */
export async function ask(page: Page, command: string, line: string): Promise<string> {
  const [answer = ''] = await askAll(page, command, [line]);
  return answer;
}

/** Calls `window.kubeadmit.ask` in a page with one line after another. */
export function askAll(page: Page, command: string, lines: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ([name, texts]) => {
      const { ask: answer } = window.kubeadmit as PageInterface;
      return Promise.all(texts.map((text) => answer(name, text)));
    },
    [command, lines] as const,
  );
}
