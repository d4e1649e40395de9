import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that the environment variable CHROMIUM names, or else one on the path. */
export function findChromium(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM'];
  for (const name of NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim();
    } catch {}
  }
  return undefined;
}

/** What went wrong in a page, or what an expression gave there. */
export interface PageOutcome {
  readonly problems: readonly string[];
  readonly value: unknown;
}

/**
 * Loads a script into a page whose content-security policy forbids code made from text, and evaluates an
 * expression there.
 */
export async function runInPage(
  executablePath: string,
  script: string,
  expression: string,
): Promise<PageOutcome> {
  const server = serve(script);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath, args: ARGUMENTS });
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (problem) => problems.push(problem.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return { value: await page.evaluate(expression), problems };
  } finally {
    await browser?.close();
    server.close();
  }
}

function serve(script: string): Server {
  return createServer((request, response) => {
    if (request.url === '/bundle.js') {
      response.setHeader('content-type', 'text/javascript; charset=utf-8');
      response.end(script);
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; img-src data:; script-src 'self'",
    );
    response.end(
      '<!doctype html><link rel="icon" href="data:,"><script src="/bundle.js"></script>',
    );
  });
}
