import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, folderUntil, runProgram } from '@kubeadmit/test-support';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chromium, openSite, readyPlayground, type Site } from './site.ts';

const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

const clusterPolicy = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata:
  name: require-labels
spec:
  validationFailureAction: Enforce
  background: true
  rules:
  - name: check-for-labels
    match:
      any:
      - resources:
          kinds:
          - Pod
    validate:
      message: The label app.kubernetes.io/name is required.
      pattern:
        metadata:
          labels:
            app.kubernetes.io/name: "?*"
`;

const pod = (name: string, labels: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: ${labels}}
spec: {containers: [{name: web, image: "registry.example.com/web:1.0.0"}]}
`;

describe.skipIf(chromium === undefined)('a ClusterPolicy pasted into the playground', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  test('becomes a ValidatingAdmissionPolicy that is compared with the rule', async () => {
    const started = performance.now();
    const { page, problems } = await site.open('playground/', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await readyPlayground(page);
    await paste(page, clusterPolicy);
    await expect
      .poll(() => page.locator('.tabs').textContent(), { message: 'the useless binding' })
      .not.toContain('binding.yaml');
    await expect.poll(() => page.locator('.notice').textContent()).toContain('Closed binding.yaml');
    await page.getByRole('button', { name: 'Converted policies' }).click();
    await page.locator('.converted-rules .proof').waitFor();
    expect(await page.locator('.converted-rules .proof').allTextContents()).toEqual([
      expect.stringMatching(/^✓ No difference in \d+ different requests\.$/),
    ]);
    expect(await page.locator('.comparison').textContent()).toContain('the same result');
    expect(await page.locator('.summary').textContent()).not.toContain('error');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => page.locator('.notice').textContent()).toContain('Copied');
    const converted = await page.evaluate(() => navigator.clipboard.readText());
    const milliseconds = performance.now() - started;
    console.info(`NOTE: from a ClusterPolicy to a compared policy: ${Math.round(milliseconds)} ms`);
    expect(problems).toEqual([]);
    await page.context().close();

    const folder = folderUntil(onTestFinished);
    writeFileSync(join(folder, 'policy.yaml'), converted);
    writeFileSync(join(folder, 'good.yaml'), pod('good', '{app.kubernetes.io/name: web}'));
    expect(await check(folder)).toMatchObject({ exitCode: 0 });
    writeFileSync(join(folder, 'bad.yaml'), pod('bad', '{team: web}'));
    const denied = await check(folder);
    expect(denied.stdout).toContain('The label app.kubernetes.io/name is required.');
    expect(denied.exitCode).toBe(1);
  }, 120_000);
});

async function paste(page: Page, text: string): Promise<void> {
  await page.locator('.files .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.evaluate((each) => navigator.clipboard.writeText(each), text);
  await page.keyboard.press('Control+v');
}

function check(folder: string): Promise<Ended> {
  return runProgram(process.execPath, [program, 'check', folder]);
}
