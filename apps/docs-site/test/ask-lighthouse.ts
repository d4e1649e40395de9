// Runs Lighthouse on a page of each kind of the built site and writes the results for the performance page.
// Lighthouse is not a dependency. Set its path to a 12.x version:
// `LIGHTHOUSE=…/node_modules/.bin/lighthouse pnpm run lighthouse`
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { LighthouseFigures } from '../src/build/figures.ts';
import { serveFolder } from './serve-folder.ts';
import { chromium, dist } from './site.ts';

const run = promisify(execFile);

const pages = {
  home: '',
  playground: 'playground/',
  guide: 'guides/first-verdict.html',
  reference: 'reference/cel.html',
};

const settings = { mobile: [], desktop: ['--preset=desktop'] };

interface Report {
  readonly lighthouseVersion: string;
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

const program = process.env['LIGHTHOUSE'];
if (program === undefined) throw new Error('LIGHTHOUSE must name the program');
const served = await serveFolder(dist);
const results: LighthouseFigures['results'][number][] = [];
let version = '';
try {
  for (const [page, path] of Object.entries(pages)) {
    for (const [device, options] of Object.entries(settings)) {
      const { lighthouseVersion, categories, audits } = await report(path, options);
      version = lighthouseVersion;
      const score = (name: string): number => Math.round((categories[name]?.score ?? 0) * 100);
      const value = (name: string): number => audits[name]?.numericValue ?? Number.NaN;
      const result = {
        page,
        device,
        performance: score('performance'),
        accessibility: score('accessibility'),
        bestPractices: score('best-practices'),
        seo: score('seo'),
        blockingMilliseconds: Math.round(value('total-blocking-time')),
        layoutShift: Number(value('cumulative-layout-shift').toFixed(3)),
      };
      console.info(JSON.stringify(result));
      results.push(result);
    }
  }
} finally {
  await served.close();
}
writeFileSync(
  new URL('../lighthouse.json', import.meta.url),
  `${JSON.stringify({ version, results }, null, 2)}\n`,
);

/** Runs beside the server of this process, which has to answer meanwhile. */
async function report(path: string, options: readonly string[]): Promise<Report> {
  const { stdout } = await run(
    program ?? '',
    [
      served.address + path,
      '--output=json',
      '--quiet',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
      ...options,
    ],
    { env: { ...process.env, CHROME_PATH: chromium ?? '' }, maxBuffer: 1 << 28 },
  );
  return JSON.parse(stdout) as Report;
}
