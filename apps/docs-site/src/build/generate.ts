import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { changelogPage } from './changelog-page.ts';
import { conformancePage } from './conformance-page.ts';
import { dependenciesPage } from './dependencies-page.ts';
import { examplePages } from './example-pages.ts';
import { indexPage } from './index-pages.ts';
import { performancePage } from './performance-page.ts';
import { apiPages } from './reference/api-pages.ts';
import { celPage } from './reference/cel-page.ts';
import { commandPages } from './reference/command-pages.ts';
import { conversionPages } from './reference/conversion-pages.ts';
import { editorExchangePage } from './reference/editor-exchange-page.ts';
import { exitCodePages } from './reference/exit-code-pages.ts';
import { jsonFormatsPage } from './reference/json-formats-page.ts';
import { kyvernoPage } from './reference/kyverno-page.ts';
import { lintPages } from './reference/lint-pages.ts';
import { metricsPage } from './reference/metrics-page.ts';
import { policyFieldsPage } from './reference/policy-fields-page.ts';
import { programPages } from './reference/program-pages.ts';
import { settingsPages } from './reference/settings-pages.ts';
import { variablesPage } from './reference/variables-page.ts';
import type { Page } from './shared/page.ts';
import { sidebar } from './sidebar.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const pages: readonly Page[] = [
  conformancePage(),
  performancePage(),
  dependenciesPage(),
  changelogPage(),
  ...examplePages(),
  ...commandPages(),
  celPage(),
  await variablesPage(),
  await policyFieldsPage(),
  kyvernoPage(),
  ...conversionPages(),
  editorExchangePage(),
  ...exitCodePages(),
  jsonFormatsPage(),
  ...(await lintPages()),
  ...programPages(),
  ...settingsPages(),
  metricsPage(),
  ...apiPages(),
];

for (const folder of ['examples', 'reference'])
  rmSync(root + folder, { recursive: true, force: true });
pages.forEach(writePage);

// The index pages list the pages written above.
const lists = sidebar();
for (const { folder, ...page } of [
  {
    folder: '/guides/',
    path: 'guides/index',
    title: 'Guides',
    about: 'Guides by task. Each one can be read on its own, and tests run its commands.',
  },
  {
    folder: '/reference/',
    path: 'reference/index',
    title: 'Reference',
    about: 'Commands, options, functions, fields and exports, generated from the sources.',
  },
]) {
  writePage(indexPage(page, lists[folder] as DefaultTheme.SidebarItem[], root));
}

function writePage({ path, markdown }: Page): void {
  const file = `${root}${path}.md`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, markdown);
}

// Editors find the format of tests here.
copyFileSync(
  `${root}../../packages/testing/schema/admit-test.schema.json`,
  `${root}public/admit-test.schema.json`,
);
