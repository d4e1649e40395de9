import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { descriptionOf } from './description.ts';
import type { Page } from './shared/page.ts';

/** Returns a page that lists the pages in a folder of the site, in the order of the sidebar. */
export function indexPage(
  page: Pick<Page, 'path'> & { readonly title: string; readonly about: string },
  groups: readonly DefaultTheme.SidebarItem[],
  root: string,
): Page {
  const lines = groups.flatMap(({ text = '', link, collapsed, items = [] }) => [
    link === undefined ? `## ${text}` : `## [${text}](${link})`,
    ...(link === undefined ? [] : [beginningOf(`${root}${link.slice(1)}index.md`)]),
    // Collapsed groups in the sidebar have separate index pages.
    ...(collapsed === true ? [] : [items.map((item) => lineOf(item, root)).join('\n')]),
  ]);
  const { path, title, about } = page;
  return { path, markdown: `${[`# ${title}`, about, ...lines].join('\n\n')}\n` };
}

function lineOf({ text = '', link = '' }: DefaultTheme.SidebarItem, root: string): string {
  return `- [${text}](${link}): ${beginningOf(`${root}${link.slice(1)}.md`)}`;
}

function beginningOf(file: string): string {
  return descriptionOf(readFileSync(file, 'utf8')) ?? '';
}
