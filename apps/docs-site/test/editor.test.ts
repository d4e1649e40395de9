import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, type OpenPage, openSite, readyPlayground, type Site } from './site.ts';

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}
  validations:
  - expression: object.spec.replica <= 5`;

describe.skipIf(chromium === undefined)('the editor of the playground', () => {
  let site: Site;
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    site = await openSite();
    opened = await site.open('playground/');
    page = opened.page;
    await readyPlayground(page);
    await page.evaluate((text) => window.kubeadmit?.open({ 'policy.yaml': text }), policy);
    await page.getByRole('tab', { name: 'policy.yaml' }).waitFor();
    await page.locator('.cm-content').click();
  });
  afterAll(() => site?.close());

  test('marks only the unknown field', async () => {
    const marks = page.locator('.cm-lintRange-warning');
    await expect.poll(() => marks.allTextContents()).toContain('.replica');
  });

  test('mends it', async () => {
    await page.locator('.cm-lintRange-warning', { hasText: '.replica' }).hover();
    await page.getByRole('button', { name: 'Write `replicas`' }).click();
    const files = (): Promise<unknown> =>
      page.evaluate(() => window.kubeadmit?.files()['policy.yaml']);
    await expect.poll(files).toContain('object.spec.replicas <= 5');
  });

  test('tells the type of a field', async () => {
    await page.mouse.move(0, 0);
    const line = page.locator('.cm-line', { hasText: 'object.spec.replicas' });
    const box = await line.boundingBox();
    const text = (await line.textContent()) ?? '';
    const letter = await line.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width / (element.textContent?.length ?? 1);
    });
    if (box === null) throw new Error('the line is not shown');
    await page.mouse.move(
      box.x + 6 + letter * (text.indexOf('replicas') + 4),
      box.y + box.height / 2,
      { steps: 5 },
    );
    await page.locator('.known-of', { hasText: 'DeploymentSpec.replicas: int' }).waitFor();
  });

  test('completes fields of the kind that the policy matches', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' && object.spec.templ');
    const offered = page.locator('.cm-tooltip-autocomplete', { hasText: 'template' });
    await offered.waitFor();
    // Completion takes no key for its own that comes just after it was shown.
    await page.waitForTimeout(300);
    await page.keyboard.press('Enter');
    const files = (): Promise<unknown> =>
      page.evaluate(() => window.kubeadmit?.files()['policy.yaml']);
    await expect.poll(files).toContain('replicas <= 5 && object.spec.template');
    expect(opened.problems).toEqual([]);
  });
});
