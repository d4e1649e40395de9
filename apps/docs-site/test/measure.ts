// Measures the built site in a browser and writes the data of the performance page: `pnpm run measure`, on an idle
// machine.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Figures } from '../src/build/figures.ts';
import { firstLoad, firstVerdicts, slowedVerdict } from './loads.ts';
import { serveFolder } from './serve-folder.ts';
import { dist, openSite, readyPlayground, type Site } from './site.ts';

const rate = 4;
const verdictRuns = 9;
const keysOfExample = 5;

const served = await serveFolder(dist);
const site = await openSite(served);
try {
  const loads = {
    playground: (await firstLoad(site, 'playground/', firstVerdicts.playground)).total,
    home: (await firstLoad(site, '', firstVerdicts.home)).total,
  };
  const verdicts: number[] = [];
  for (let i = 0; i < verdictRuns; i++) {
    const { page, shown } = await slowedVerdict(site, rate);
    verdicts.push(shown.milliseconds);
    await page.context().close();
  }
  const coldVerdicts: number[] = [];
  for (let i = 0; i < verdictRuns; i++) {
    const justStarted = await openSite(served);
    coldVerdicts.push((await slowedVerdict(justStarted, rate)).shown.milliseconds);
    await justStarted.close();
  }
  const figures: Figures = {
    firstLoad: loads,
    firstVerdict: { rate, ...summed(verdicts) },
    coldVerdict: { rate, ...summed(coldVerdicts) },
    typing: summed(await typingTimes(site)),
    machine: `${cpus().length} processors, Chromium ${site.browser.version()}`,
  };
  const target = new URL('../figures.json', import.meta.url);
  writeFileSync(target, `${JSON.stringify(figures, null, 2)}\n`);
  console.info(JSON.stringify(figures, null, 2));
} finally {
  await site.close();
  await served.close();
}

/** The time from a key press until its verdict is painted, several for each example. */
async function typingTimes(of: Site): Promise<number[]> {
  const { page } = await of.open('playground/');
  await readyPlayground(page);
  await page.locator('.files .cm-content').waitFor();
  await page.evaluate(noteTyping);
  const examples = page.getByLabel('Example');
  const names = await examples
    .locator('option')
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value).filter(Boolean));
  const times: number[] = [];
  for (const name of names) {
    await examples.selectOption(name);
    await page.locator('.files .cm-content').click();
    // Linting and explaining the opened files is done.
    await page.waitForTimeout(1_500);
    await page.keyboard.press('Control+End');
    for (let i = 0; i < keysOfExample; i++) {
      await page.keyboard.press(i === 0 ? '#' : 'x');
      times.push(await page.evaluate(() => window.typed as Promise<number>));
      await page.waitForTimeout(200);
    }
  }
  await page.context().close();
  return times;
}

declare global {
  interface Window {
    /** How long the last key took. */
    typed?: Promise<number>;
  }
}

/** Runs in the page: times from a key until the judgement is not busy any more and was painted. */
function noteTyping(): void {
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      const judgements = document.querySelector('.judgements');
      if (judgements === null) return;
      window.typed = new Promise((resolve) => {
        let wasBusy = false;
        const observer = new MutationObserver(() => {
          const isBusy = judgements.getAttribute('aria-busy') === 'true';
          wasBusy ||= isBusy;
          if (isBusy || !wasBusy) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)));
        });
        observer.observe(judgements, { attributes: true });
      });
    },
    true,
  );
}

function summed(times: readonly number[]): Figures['typing'] {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return {
    runs: sorted.length,
    median: Math.round(median),
    largest: Math.round(sorted.at(-1) ?? Number.NaN),
  };
}
