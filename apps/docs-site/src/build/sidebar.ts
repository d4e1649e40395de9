import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The guides in the order in which they are read. */
const guides = [
  {
    text: 'Start',
    pages: [
      'first-verdict',
      'first-hour',
      'first-test',
      'testing-policies',
      'editors',
      'ci',
      'safe-ci',
      'library',
      'agents',
    ],
  },
  {
    text: 'Policies',
    pages: ['writing-policies', 'mutating-policies', 'custom-resources', 'admission-plugins'],
  },
  { text: 'Clusters', pages: ['webhook', 'webhook-emergency', 'api-server', 'internal-platform'] },
  {
    text: 'Migrate',
    pages: [
      'kyverno-1-20',
      'from-kyverno',
      'verify-images',
      'from-other-tools',
      'differing-verdict',
    ],
  },
];

/** The sidebar of each section of the site; the titles are those of the pages. */
export function sidebar(): DefaultTheme.SidebarMulti {
  return {
    '/guides/': guides.map(({ text, pages }) => ({
      text,
      items: pages.map((page) => item(`guides/${page}`)),
    })),
    '/reference/': [
      {
        text: 'Language and formats',
        items: ['cel', 'variables', 'policy-fields', 'kyverno', 'json', 'editor-exchange'].map(
          (page) => item(`reference/${page}`),
        ),
      },
      {
        text: 'Servers',
        items: [
          'webhook',
          'configuration-webhook',
          'chart-values',
          'metrics',
          'apiserver',
          'configuration-apiserver',
        ].map((page) => item(`reference/${page}`)),
      },
      {
        text: 'Lint rules',
        link: '/reference/lint/',
        collapsed: true,
        items: pagesIn('reference/lint'),
      },
      {
        text: 'Conversion',
        link: '/reference/conversion/',
        collapsed: true,
        items: pagesIn('reference/conversion'),
      },
      { text: 'Commands', link: '/reference/commands/', items: pagesIn('reference/commands') },
      {
        text: 'Exit codes',
        link: '/reference/exit-codes/',
        collapsed: true,
        items: pagesIn('reference/exit-codes'),
      },
      {
        text: 'TypeScript API',
        link: '/reference/api/',
        collapsed: true,
        items: pagesIn('reference/api'),
      },
    ],
    '/examples/': [{ text: 'Examples', items: pagesIn('examples') }],
  };
}

function pagesIn(folder: string): DefaultTheme.SidebarItem[] {
  return readdirSync(root + folder)
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .map((file) => item(`${folder}/${file.slice(0, -'.md'.length)}`))
    .sort((a, b) => ((a.text ?? '') < (b.text ?? '') ? -1 : 1));
}

function item(path: string): DefaultTheme.SidebarItem {
  const title = /^# (.*)$/m.exec(readFileSync(`${root}${path}.md`, 'utf8'))?.[1] ?? path;
  return { text: title, link: `/${path}` };
}
