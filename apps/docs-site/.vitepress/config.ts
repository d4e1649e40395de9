import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitepress';
import { withContentSecurityPolicy } from '../src/build/content-security-policy.ts';
import { descriptionOf } from '../src/build/description.ts';
import { withEarlyPlayground } from '../src/build/early-playground.ts';
import { keepPlacesInLines } from '../src/build/places-in-output.ts';
import { plainDataModules } from '../src/build/plain-data-modules.ts';
import { sidebar } from '../src/build/sidebar.ts';
import { writeSiteFiles } from '../src/build/site-files.ts';

/** The path under which the site is served: `/`, or the value of KUBEADMIT_DOCS_BASE. */
const base = process.env['KUBEADMIT_DOCS_BASE'] ?? '/';

const earlyClicks = fileURLToPath(new URL('../src/early-clicks.js', import.meta.url));

/**
 * The worker's main bundle: the engines and the field types of all kinds.
 *
 * A verdict needs all of them, and one file loads faster than a hundred small ones. Modules that are loaded later
 * stay in separate files.
 */
const workerFiles = [
  {
    name: 'worker',
    test: /\/src\/worker\/worker\.ts$|\/packages\/schemas\/src\/data\/(?!protobuf)[^/]+\.ts$/,
  },
];

export default defineConfig({
  base,
  title: 'kubeadmit',
  description: 'Kubernetes admission policies without a cluster: test, explain, convert',
  lang: 'en',
  cleanUrls: false,
  router: { prefetchLinks: false },
  lastUpdated: false,
  srcExclude: ['README.md'],
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }],
    ['script', { id: 'early-clicks' }, readFileSync(earlyClicks, 'utf8')],
  ],
  transformPageData({ description, filePath }, { siteConfig }) {
    if (description !== '') return undefined;
    const found = descriptionOf(readFileSync(join(siteConfig.srcDir, filePath), 'utf8'));
    return found === undefined ? undefined : { description: found };
  },
  transformHtml: (html, _id, context) =>
    withContentSecurityPolicy(withEarlyPlayground(html, context)),
  buildEnd: writeSiteFiles,
  markdown: { config: keepPlacesInLines },
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local' },
    notFound: {
      title: 'Page not found',
      quote: 'The page may have moved, or the address is mistyped. Try the search.',
      linkLabel: 'Home',
      linkText: 'Home',
    },
    outline: [2, 3],
    nav: [
      { text: 'Playground', link: '/playground/' },
      { text: 'Guides', link: '/guides/', activeMatch: '/guides/' },
      { text: 'Examples', link: '/examples/', activeMatch: '/examples/' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
      {
        text: 'About',
        items: [
          { text: 'Conformance', link: '/conformance' },
          { text: 'Performance', link: '/performance' },
          { text: 'Dependencies', link: '/dependencies' },
          { text: 'Changelog', link: '/changelog' },
        ],
      },
    ],
    sidebar: sidebar(),
  },
  vite: {
    plugins: [plainDataModules],
    resolve: { conditions: ['@kubeadmit/source', ...defaultClientConditions] },
    ssr: {
      noExternal: [/^@kubeadmit\//],
      resolve: { conditions: ['@kubeadmit/source', ...defaultServerConditions] },
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'vue' } },
    worker: {
      format: 'es',
      rolldownOptions: { output: { codeSplitting: { groups: workerFiles } } },
    },
    build: { target: 'es2023', chunkSizeWarningLimit: 1000 },
  },
});
