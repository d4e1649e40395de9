import type { Figures, LighthouseFigures } from './figures.ts';
import { withChart } from './performance-charts.ts';
import { type Page, table } from './shared/page.ts';
import { readText, sectionOf } from './shared/repository.ts';

/** The page with all measurements, which the READMEs of the packages contain. */
export function performancePage(): Page {
  const markdown = `---
pageClass: performance
---

# Performance

Each section names the machine, the tools that were compared, and the command that reproduces the measurement. The sections come from the READMEs of the packages.

${measurements.map(measured).join('\n\n')}

${playgroundSection()}
`;
  return { path: 'performance', markdown };
}

interface Measurement {
  readonly title: string;
  /** The folder of the package whose README has the measurement. */
  readonly folder: string;
  readonly section: string;
}

const measurements: readonly Measurement[] = [
  { title: 'CEL expressions', folder: 'packages/engine', section: 'Speed' },
  { title: 'Admission requests', folder: 'packages/admission', section: 'Speed' },
  { title: 'Kyverno rules', folder: 'packages/kyverno', section: 'Speed' },
  { title: 'The command line', folder: 'apps/cli', section: 'Speed and memory' },
  { title: 'The size of the CEL library', folder: 'packages/cel', section: 'Speed and size' },
];

function measured({ title, folder, section }: Measurement): string {
  const text = sectionOf(readText(`${folder}/README.md`), section);
  if (text === undefined) throw new Error(`${folder}/README.md has no section "${section}"`);
  return `## ${title}\n\n${withChart(folder, withoutLinks(text))}`;
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
      '410 kB',
    ],
    ['bytes loaded until the first verdict of the home page', kilobytes(firstLoad.home), '420 kB'],
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
  ['page', 'performance / accessibility / practices / search', 'blocked'],
  results.map(({ page, device, performance, accessibility, bestPractices, seo, ...result }) => [
    `${page}, ${device}`,
    [performance, accessibility, bestPractices, seo].join(' / '),
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
