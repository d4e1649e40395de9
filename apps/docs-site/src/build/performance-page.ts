import type { Figures, LighthouseFigures } from './figures.ts';
import { type Page, table } from './page.ts';
import { foldersIn, namesIn, readText, sectionOf } from './repository.ts';

/** The page with what was measured, from the pages of the packages that it was measured of. */
export function performancePage(): Page {
  const sections = foldersIn('packages').flatMap((name) => {
    if (!namesIn(`packages/${name}`).includes('README.md')) return [];
    const speed = sectionOf(readText(`packages/${name}/README.md`), 'Speed');
    return speed === undefined ? [] : [`## @kubeadmit/${name}\n\n${withoutLinks(speed)}`];
  });
  const markdown = `# Performance

Measurements with the machine, the tools compared, and the command that reproduces them. The sections of packages come from their READMEs.

${playgroundSection()}

${sections.join('\n\n')}
`;
  return { path: 'performance', markdown };
}

function playgroundSection(): string {
  const { firstLoad, firstVerdict, coldVerdict, typing, machine } = JSON.parse(
    readText('apps/docs-site/figures.json'),
  ) as Figures;
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
  return `## The playground

The built site in headless Chromium (${machine}), measured with \`pnpm --filter @kubeadmit/docs-site run measure\`. Sizes are after gzip, and each test run checks them.

${table(
  ['measurement', 'result', 'limit'],
  [
    [
      'bytes loaded until the first verdict of the playground',
      kilobytes(firstLoad.playground),
      '450 kB',
    ],
    ['bytes loaded until the first verdict of the home page', kilobytes(firstLoad.home), '390 kB'],
    [
      `first verdict shown, main thread slowed ${firstVerdict.rate} times, median of ${firstVerdict.runs}`,
      `${firstVerdict.median} ms (slowest ${firstVerdict.largest} ms)`,
      '1,000 ms',
    ],
    [
      `the same in a newly started browser, median of ${coldVerdict.runs}`,
      `${coldVerdict.median} ms (slowest ${coldVerdict.largest} ms)`,
      '1,000 ms',
    ],
    [
      `keystroke to verdicts, median of ${typing.runs} over all examples`,
      `${typing.median} ms (slowest ${typing.largest} ms)`,
      '50 ms',
    ],
  ],
)}

${lighthouseText()}`;
}

function lighthouseText(): string {
  const { version, results } = JSON.parse(
    readText('apps/docs-site/lighthouse.json'),
  ) as LighthouseFigures;
  return `Lighthouse ${version} scores (of 100) for one page of each kind, from \`pnpm --filter @kubeadmit/docs-site run lighthouse\` on the same machine:

${table(
  ['page', 'performance', 'accessibility', 'practices', 'search', 'blocked'],
  results.map((result) => [
    `${result.page}, ${result.device}`,
    result.performance,
    result.accessibility,
    result.bestPractices,
    result.seo,
    `${result.blockingMilliseconds} ms`,
  ]),
)}`;
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
