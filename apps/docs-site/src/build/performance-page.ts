import type { Page } from './page.ts';
import { foldersIn, namesIn, readText, sectionOf } from './repository.ts';

/** The page with what was measured, from the pages of the packages that it was measured of. */
export function performancePage(): Page {
  const sections = foldersIn('packages').flatMap((name) => {
    if (!namesIn(`packages/${name}`).includes('README.md')) return [];
    const speed = sectionOf(readText(`packages/${name}/README.md`), 'Speed');
    return speed === undefined ? [] : [`## @kubeadmit/${name}\n\n${withoutLinks(speed)}`];
  });
  const markdown = `# Performance

What was measured, beside what, on which machine, and with which command. Each section is that of the package's own page, where the benchmark lies.

${sections.join('\n\n')}
`;
  return { path: 'performance', markdown };
}

/** A text without links to files of the repository, and without the line that ends each package's page. */
function withoutLinks(markdown: string): string {
  return (
    markdown
      .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
      .replace(/^.*Part of kubeadmit\.$/m, '')
      // Every column has a name, for those who are read a table.
      .replaceAll(
        /^(\|.*)\n(?=\| ?:?---)/gm,
        (_, head: string) => `${head.replaceAll(/\| (?=\|)/g, '| what ')}\n`,
      )
      .trim()
  );
}
