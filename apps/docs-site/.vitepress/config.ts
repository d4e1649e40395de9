import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitepress';
import { withContentSecurityPolicy } from '../src/build/content-security-policy.ts';
import { withEarlyPlayground } from '../src/build/early-playground.ts';
import { plainDataModules } from '../src/build/plain-data-modules.ts';
import { sidebar } from '../src/build/sidebar.ts';
import { writeSiteFiles } from '../src/build/site-files.ts';

/** The path under which the site is served: `/`, or what KUBEADMIT_DOCS_BASE says. */
const base = process.env['KUBEADMIT_DOCS_BASE'] ?? '/';

export default defineConfig({
  base,
  title: 'kubeadmit',
  description: 'Kubernetes admission, without a cluster: policies in CEL, tried in the page',
  lang: 'en',
  cleanUrls: false,
  router: { prefetchLinks: false },
  lastUpdated: false,
  srcExclude: ['README.md'],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  transformHtml: (html, _id, context) =>
    withContentSecurityPolicy(withEarlyPlayground(html, context)),
  buildEnd: writeSiteFiles,
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Playground', link: '/playground/' },
      { text: 'Guides', link: '/guides/first-verdict', activeMatch: '/guides/' },
      { text: 'Examples', link: '/examples/', activeMatch: '/examples/' },
      { text: 'Reference', link: '/reference/cel', activeMatch: '/reference/' },
      {
        text: 'Facts',
        items: [
          { text: 'Conformance', link: '/conformance' },
          { text: 'Performance', link: '/performance' },
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
    worker: { format: 'es' },
    build: { target: 'es2023', chunkSizeWarningLimit: 1000 },
  },
});
