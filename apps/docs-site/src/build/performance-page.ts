import type { Figures, LighthouseFigures } from './figures.ts';
import { type Page, table } from './page.ts';
import { withChart } from './performance-charts.ts';
import { foldersIn, namesIn, readText, sectionOf } from './repository.ts';

/** The page with all measurements, which the READMEs of the packages contain. */
export function performancePage(): Page {
  const sections = [...measuredPackages(), measuredProgram()];
  const markdown = `# Performance

Each section names the machine, the tools that were compared, and the command that reproduces the measurement. The sections come from the READMEs of the packages.

${sections.join('\n\n')}

${playgroundSection()}
`;
  return { path: 'performance', markdown };
}

function measuredPackages(): readonly string[] {
  return foldersIn('packages').flatMap((name) => {
    if (!namesIn(`packages/${name}`).includes('README.md')) return [];
    const speed = sectionOf(readText(`packages/${name}/README.md`), 'Speed');
    return speed === undefined ? [] : [measured(name, speed)];
  });
}

function measuredProgram(): string {
  return measured('cli', sectionOf(readText('apps/cli/README.md'), 'Speed and memory') ?? '');
}

function measured(name: string, section: string): string {
  return `## @kubeadmit/${name}\n\n${withChart(name, withoutLinks(section))}`;
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

/** Removes links to files of the repository, and the line that ends the page of each package. */
function withoutLinks(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
    .replace(/^.*Part of (?:\[kubeadmit\]|kubeadmit).*$/m, '')
    .trim();
}
