import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SiteConfig } from 'vitepress';

/** Writes the files next to the pages: their Markdown, `llms.txt`, and the service worker that caches the site. */
export function writeSiteFiles({ srcDir, outDir, pages, site }: SiteConfig): void {
  const written = pages.map((page) => {
    const markdown = withIncludedFiles(
      readFileSync(join(srcDir, page), 'utf8'),
      join(srcDir, page),
    );
    const target = join(outDir, page);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, markdown);
    return { page, markdown };
  });
  writeFileSync(join(outDir, 'llms.txt'), llmsText(site, written));
  writeFileSync(join(outDir, 'service-worker.js'), serviceWorker(outDir, site.base));
  writeFileSync(join(outDir, '_headers'), hostHeaders(site.base));
}

/**
 * Returns the headers of every page in the format of Cloudflare Pages and Netlify. Other hosts need the same headers
 * in their configuration: a page cannot set `frame-ancestors` in its own HTML.
 */
export function hostHeaders(base: string): string {
  const headers = [
    "Content-Security-Policy: frame-ancestors 'none'",
    'X-Frame-Options: DENY',
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
  ];
  return `${base}*\n${headers.map((header) => `  ${header}\n`).join('')}`;
}

interface WrittenPage {
  readonly page: string;
  readonly markdown: string;
}

/**
 * The list of pages for language models (llmstxt.org): a description of the site, and the address of the Markdown of
 * each page, with the description of the page if it has one.
 */
function llmsText(
  { title, description, base }: SiteConfig['site'],
  pages: readonly WrittenPage[],
): string {
  const sections = new Map<string, string[]>();
  for (const { page, markdown } of pages) {
    const [folder = ''] = page.includes('/') ? page.split('/') : ['about'];
    const heading = /^# (.*)$/m.exec(markdown)?.[1] ?? /^title: (.*)$/m.exec(markdown)?.[1] ?? page;
    const [, about] = /^---\n(?:.*\n)*?description: (.*)\n(?:.*\n)*?---\n/.exec(markdown) ?? [];
    const entries = sections.get(folder) ?? [];
    sections.set(folder, entries);
    entries.push(`- [${heading}](${base}${page})${about === undefined ? '' : `: ${about}`}`);
  }
  const listed = [...sections].map(
    ([folder, entries]) =>
      `## ${folder.charAt(0).toUpperCase()}${folder.slice(1)}\n\n${entries.join('\n')}`,
  );
  return `# ${title}\n\n> ${description}\n\n${agentText(base)}\n\n${listed.join('\n\n')}\n`;
}

/** How agents use the program itself. */
function agentText(base: string): string {
  return `Agents can run the program instead of reading about it: \`kubeadmit mcp FOLDER\` offers check, lint, explain, test, convert, diff and eval as tools of the Model Context Protocol, and most commands answer with JSON (\`-o json\`). See [Use kubeadmit from an agent](${base}guides/agents.md).`;
}

/** Markdown with the files that VitePress would take into it. */
function withIncludedFiles(markdown: string, path: string): string {
  return markdown.replaceAll(/^<<< (\S+?)\{(\w+)\}$/gm, (_, file: string, language: string) => {
    const text = readFileSync(join(dirname(path), file), 'utf8');
    return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
  });
}

/** Scripts and styles of every page, and those of the home page and the playground themselves. */
const keptAtOnce = /(?:^|\/)(?:(?:playground_)?index\.md\.[^/]+|(?!.*\.md\.)[^/]+)\.(?:js|css)$/;

/**
 * The service worker, with which the site works without a network after the first visit. It caches scripts and styles
 * at once, since their names change with their content, and pages when they are visited; with a network it fetches
 * newer pages.
 */
function serviceWorker(outDir: string, base: string): string {
  const assets = readdirSync(join(outDir, 'assets'), { recursive: true, encoding: 'utf8' })
    .filter((name) => keptAtOnce.test(name))
    .sort();
  const kept = ['', 'playground/', 'logo.svg', ...assets.map((name) => `assets/${name}`)].map(
    (path) => base + path,
  );
  const name = `kubeadmit-${createHash('sha256').update(kept.join('\n')).digest('hex').slice(0, 16)}`;
  return `const name = ${JSON.stringify(name)};
const kept = ${JSON.stringify(kept)};
self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(kept)));
});
self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((each) => each.startsWith('kubeadmit-') && each !== name).map((each) => caches.delete(each))))
    .then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith(url.pathname.includes('/assets/') ? fromCache(event.request) : fromNetwork(event.request));
});
async function fromCache(request) {
  return (await caches.match(request, { ignoreSearch: true, ignoreVary: true })) ?? keep(request, await fetch(request));
}
async function fromNetwork(request) {
  try {
    return await keep(request, await fetch(request));
  } catch (problem) {
    const found = await caches.match(request, { ignoreSearch: true, ignoreVary: true });
    if (found) return found;
    throw problem;
  }
}
async function keep(request, response) {
  if (response.ok) await (await caches.open(name)).put(request, response.clone());
  return response;
}
`;
}
