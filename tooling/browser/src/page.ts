import { createServer, type Server } from 'node:http';
import { listen } from '@kubeadmit/test-support';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.ts';

/** The problems in a page and the value of the evaluated expression. */
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
  const port = await listen(server);
  let browser: Browser | undefined;
  try {
    browser = await launchChromium(executablePath);
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (problem) => problems.push(problem.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${port}/`);
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
