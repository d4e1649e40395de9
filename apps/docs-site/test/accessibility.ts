import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { readyPlayground } from './site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that depend on colors, which are the only difference in dark mode. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe-core finds on a page in light mode, and in the colors of dark mode.
 *
 * Each contains the rule and the element.
 */
export async function violationsInBothModes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.waitForFunction(() => !document.documentElement.classList.contains('dark'));
  const light = await found(page, {});
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.waitForFunction(() => document.documentElement.classList.contains('dark'));
  const dark = await found(page, { runOnly: { type: 'rule', values: rulesOfColours } });
  return [...light, ...dark.map((each) => `dark: ${each}`)];
}

/** Returns the violations on a playground with all sections expanded, and on its conversion view. */
export async function violationsOfPlayground(page: Page): Promise<string[]> {
  await readyPlayground(page);
  await page.locator('.files .cm-content').waitFor();
  await page.locator('.request > summary').click();
  await page.locator('.why > summary').first().click();
  await page.locator('.why .expression > summary').first().click();
  const verdicts = await violationsInBothModes(page);
  await page.getByLabel('Example').selectOption('kyverno/pod-rules');
  await page.getByRole('button', { name: 'Converted policies' }).click();
  await page.locator('.conversion .cm-content').waitFor();
  const conversion = await violationsInBothModes(page);
  return [...verdicts, ...conversion.map((each) => `conversion: ${each}`)];
}

async function found(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(
        given,
      ),
    { ...options, resultTypes: ['violations' as const], elementRef: false },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns the parts of a page that Chromium exposes to assistive technology: role and name, in reading order. */
export async function accessibleParts(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  await client.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const parts: string[] = [];
  const read = (id: string): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const live = node.properties?.find(({ name }) => name === 'live')?.value.value;
    const suffix = live === undefined ? '' : ` (${live})`;
    if (!node.ignored) parts.push(`${node.role?.value} ${node.name?.value ?? ''}`.trim() + suffix);
    for (const child of node.childIds ?? []) read(child);
  };
  read(nodes[0]?.nodeId ?? '');
  return parts;
}
