import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What of a page and its site is asked for. */
interface PageContext {
  /** The page's file of Markdown within the site. */
  readonly page: string;
  readonly siteConfig: { readonly outDir: string };
  readonly siteData: { readonly base: string };
}

/**
 * Starts the worker of the playground with its page, and fetches what the page itself shows: by the time the page
 * asks, the engines are loaded, on another thread. Other pages stay as they are.
 */
export function withEarlyWorker(html: string, { page, siteConfig, siteData }: PageContext): string {
  if (page !== 'playground/index.md') return html;
  const addressOf = (folder: string, name: RegExp): string => {
    const found = readdirSync(join(siteConfig.outDir, folder)).filter((file) => name.test(file));
    if (found.length !== 1) throw new Error(`${found.length} files in ${folder} fit ${name}`);
    return `${siteData.base}${folder}/${found[0]}`;
  };
  const worker = JSON.stringify(addressOf('assets', /^worker-[\w-]+\.js$/));
  const head = [
    `<script>window.kubeadmitWorker=new Worker(${worker},{type:"module",name:"early"})</script>`,
    ...[/^playground\.[\w-]+\.js$/, /^start-worker\.[\w-]+\.js$/].map(
      (name) => `<link rel="modulepreload" href="${addressOf('assets/chunks', name)}">`,
    ),
  ];
  return html.replace(/<meta charset="utf-8">/i, (charset) => [charset, ...head].join('\n    '));
}
