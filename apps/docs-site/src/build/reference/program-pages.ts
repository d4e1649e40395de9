import type { Page } from '../shared/page.ts';
import { foldersIn, namesIn, readText } from '../shared/repository.ts';

/** Programs beside the command line, by the folders that they are in. */
const programs = ['webhook', 'apiserver'];

/** A page for each server, from its README. */
export function programPages(): Page[] {
  return programs
    .filter(
      (name) => foldersIn('apps').includes(name) && namesIn(`apps/${name}`).includes('README.md'),
    )
    .map((name) => {
      const markdown = readText(`apps/${name}/README.md`)
        .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
        .replace(/^Part of .*$/m, '')
        // Every column has a name, for those who are read a table.
        .replaceAll(
          /^(\|.*)\n(?=\| ?:?---)/gm,
          (_, head: string) => `${head.replaceAll(/\| (?=\|)/g, '| meaning ')}\n`,
        )
        .trim();
      return { path: `reference/${name}`, markdown: `${markdown}\n` };
    });
}
