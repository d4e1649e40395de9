// Asks axe-core about every page of the built site in both modes: `pnpm run accessibility`; ends with 1 where it finds
// something. With paths of pages after it, about those.
import { readdirSync } from 'node:fs';
import { violationsInBothModes, violationsOfPlayground } from './accessibility.ts';
import { dist, laidOut, openSite } from './site.ts';

const atOnce = 2;

const given = process.argv.slice(2);
const pages = (
  given.length > 0
    ? given
    : readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.html'),
      )
).toSorted();
const site = await openSite();
const left = [...pages];
let wrong = 0;
try {
  await Promise.all(Array.from({ length: atOnce }, work));
} finally {
  await site.close();
}
console.info(`${pages.length} pages in both modes, ${wrong} with violations`);
process.exitCode = wrong === 0 ? 0 : 1;

/** Asks about one page after the other, in one context. */
async function work(): Promise<void> {
  const { page, problems } = await site.open('404.html');
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const start = performance.now();
    await page.goto(new URL(path, site.address).href);
    await laidOut(page);
    const isPlayground = path.startsWith('playground');
    const violations = await (isPlayground ? violationsOfPlayground : violationsInBothModes)(page);
    violations.push(...problems.splice(0));
    if (violations.length > 0) wrong += 1;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.info([`${path}: ${violations.length} (${seconds} s)`, ...violations].join('\n    '));
  }
  await page.context().close();
}
