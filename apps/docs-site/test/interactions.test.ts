import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chromium, type OpenPage, openSite, readyPlayground, type Site } from './site.ts';

type Files = Readonly<Record<string, string>>;
type Texts = Readonly<Record<string, string>>;

/** One action of a user by its name; see the head of `interactions.yaml`. */
interface Step {
  /** Turns to the tab of a file. */
  readonly show?: string;
  /** Replaces the text of the current file. */
  readonly write?: string;
  readonly click?: string;
  readonly press?: string;
  /** Unfolds a part of the page. */
  readonly open?: string;
  readonly fill?: readonly [label: string, text: string];
  readonly select?: readonly [label: string, option: string];
}

interface Interaction {
  readonly name: string;
  readonly files?: Files | 'base';
  readonly do?: readonly Step[];
  readonly verdicts?: readonly string[];
  readonly shows?: Texts;
  readonly lacks?: Texts;
}

const { base, cases } = parse(
  readFileSync(new URL('interactions.yaml', import.meta.url), 'utf8'),
) as { readonly base: Files; readonly cases: readonly Interaction[] };

describe.skipIf(chromium === undefined)('interactions', () => {
  let site: Site;
  let opened: OpenPage;
  beforeAll(async () => {
    site = await openSite();
    opened = await site.open('playground/');
    await readyPlayground(opened.page);
    // The editor takes the place of the plain field once; from then on it is there.
    await opened.page.locator('.files .cm-content').waitFor();
    await opened.page.locator('.request summary').click();
  });
  afterAll(() => site?.close());

  test.each(cases)('$name', async ({ files, do: steps = [], verdicts, shows = {}, lacks = {} }) => {
    const { page, problems } = opened;
    if (files !== undefined) {
      const given = files === 'base' ? base : files;
      await page.evaluate((each) => window.kubeadmit?.open(each), given);
    }
    for (const step of steps) await take(page, step);
    if (verdicts !== undefined) {
      await expect.poll(() => verdictsOf(page)).toEqual(verdicts);
    }
    for (const [selector, text] of Object.entries(shows)) {
      await expect
        .poll(() => page.locator(selector).allTextContents())
        .toEqual(expect.arrayContaining([expect.stringContaining(text)]));
    }
    for (const [selector, text] of Object.entries(lacks)) {
      await expect.poll(() => page.locator(selector).textContent()).not.toContain(text);
    }
    expect(problems).toEqual([]);
  });
});

async function take(page: Page, step: Step): Promise<void> {
  const { show, write, click, press, open, fill, select } = step;
  if (show !== undefined) await page.getByRole('tab', { name: show }).click();
  else if (write !== undefined) {
    await page.locator('.files .cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(write);
  } else if (click !== undefined) {
    await page.getByRole('button', { name: click, exact: true }).first().click();
  } else if (press !== undefined) await page.keyboard.press(press);
  else if (open !== undefined) await page.locator(`${open} > summary`).first().click();
  else if (fill !== undefined) {
    const field = page.getByLabel(fill[0], { exact: true });
    await field.fill(fill[1]);
    await field.blur();
  } else if (select !== undefined) {
    await page.getByLabel(select[0]).selectOption({ label: select[1] });
  } else throw new Error(`no such step: ${JSON.stringify(step)}`);
}

function verdictsOf(page: Page): Promise<string[]> {
  return page
    .locator('article.object .verdict')
    .evaluateAll((all) => all.map((each) => (each.textContent ?? '').replace(/^\S+ /, '')));
}
