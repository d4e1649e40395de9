import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { folderUntil, runProgram } from '@kubeadmit/test-support';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { ask, chromium, type OpenPage, openSite, readyPlayground, type Site } from './site.ts';

const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}
  validations:
  - expression: ${expression}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replicas
spec:
  policyName: replicas
  validationActions: [Deny]
`;

const deployment = (replicas: number, name = 'web'): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: registry.example.com/web:1.0.0}]}
`;

const simple = {
  'policy.yaml': policy('object.spec.replicas <= 5'),
  'web.yaml': deployment(3),
};

describe.skipIf(chromium === undefined)('the playground', () => {
  let site: Site;
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());
  beforeEach(async () => {
    opened = await site.open('playground/', {
      permissions: ['clipboard-read', 'clipboard-write'],
      acceptDownloads: true,
    });
    page = opened.page;
    await readyPlayground(page);
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await page.context().close();
  });

  const open = async (files: Readonly<Record<string, string>>): Promise<void> => {
    await page.evaluate((given) => window.kubeadmit?.open(given), files);
  };
  const verdicts = (): Promise<string[]> =>
    page
      .locator('article.object .verdict')
      .evaluateAll((all) => all.map((each) => (each.textContent ?? '').replace(/^\S+ /, '')));
  const eventually = (expected: readonly string[]): Promise<void> =>
    expect.poll(verdicts).toEqual(expected);
  const edit = async (text: string): Promise<void> => {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  const showFile = (name: string): Promise<void> => page.getByRole('tab', { name }).click();

  test('begins with an example and its verdicts', async () => {
    await eventually(['Allowed', 'No policy matched', 'Denied', 'Denied']);
    await expect.poll(() => page.textContent('.summary')).toContain('2 denied');
  });

  test('opens the example that the address names', async () => {
    await page.goto(`${site.address}playground/?example=replica-limits`);
    await readyPlayground(page);
    await eventually(['Allowed', 'Allowed', 'Denied', 'Denied', 'Denied']);
  });

  test('opens examples of the list', async () => {
    for (const [name, tab] of [
      ['team-label', 'resources.yaml'],
      ['kyverno/pod-rules', 'exception.yaml'],
      ['sidecar', 'pods.yaml'],
    ] as const) {
      await page.getByLabel('Example').selectOption(name);
      await page.getByRole('tab', { name: tab }).waitFor();
    }
    await eventually(['Mutated', 'No policy matched']);
  });

  test('shows HTML in names, messages and values as text', async () => {
    const html = '<img src=x onerror=document.title="run">';
    const hostile = policy('object.spec.replicas <= 5').replace(
      /(- expression: .*)/,
      `$1\n    message: '${html}'`,
    );
    await open({ [`${html}.yaml`]: hostile, 'web.yaml': deployment(6, `'${html}'`) });
    await eventually(['Denied']);
    await expect.poll(() => page.textContent('article.object')).toContain(html);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(await page.title()).not.toBe('run');
  });

  test('answers while the user types', async () => {
    await open(simple);
    await eventually(['Allowed']);
    await showFile('web.yaml');
    await edit(deployment(9));
    await eventually(['Denied']);
    await expect
      .poll(() => page.textContent('.status-message'))
      .toBe(
        `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: failed expression: object.spec.replicas <= 5`,
      );
    await edit(deployment(5));
    await eventually(['Allowed']);
  });

  test('has tabs that the keyboard moves through, renames and closes', async () => {
    await open({ ...simple, 'more.yaml': deployment(2, 'more') });
    await page.getByRole('tab', { name: 'policy.yaml' }).focus();
    await page.keyboard.press('ArrowRight');
    const selected = page.locator('[role=tab][aria-selected=true]');
    await expect.poll(() => selected.textContent()).toBe('web.yaml');
    await page.keyboard.press('End');
    await expect.poll(() => selected.textContent()).toBe('more.yaml');
    // The focus follows the selection; a key pressed earlier would reach the old tab.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('more.yaml');
    page.once('dialog', (dialog) => void dialog.accept('other.yaml'));
    await page.keyboard.press('F2');
    await expect.poll(() => selected.textContent()).toBe('other.yaml');
    await selected.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => page.locator('[role=tab]').count()).toBe(2);
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'New file' }).click();
    await expect.poll(() => selected.textContent()).toBe('new.yaml');
    await page.getByRole('button', { name: 'Close this file' }).click();
    await expect.poll(() => page.locator('[role=tab]').count()).toBe(2);
  });

  test('keeps the edits of each file', async () => {
    await open(simple);
    await showFile('web.yaml');
    await edit(deployment(9));
    await showFile('policy.yaml');
    await showFile('web.yaml');
    await expect.poll(() => page.textContent('.cm-content')).toContain('replicas: 9');
    await expect
      .poll(() => page.evaluate(() => window.kubeadmit?.files()['web.yaml']))
      .toBe(deployment(9));
  });

  test('takes files that are dropped on it', async () => {
    const transfer = await page.evaluateHandle((files) => {
      const data = new DataTransfer();
      for (const [name, text] of Object.entries(files)) data.items.add(new File([text], name));
      return data;
    }, simple);
    await page.dispatchEvent('.playground', 'dragover', { dataTransfer: transfer });
    await page.dispatchEvent('.playground', 'drop', { dataTransfer: transfer });
    await eventually(['Allowed']);
    await expect
      .poll(() => page.locator('[role=tab]').allTextContents())
      .toEqual(['policy.yaml', 'web.yaml']);
  });

  test('imports files that are chosen', async () => {
    await page.setInputFiles('.import input', [
      { name: 'policy.yaml', mimeType: 'text/yaml', buffer: Buffer.from(simple['policy.yaml']) },
      { name: 'web.yaml', mimeType: 'text/yaml', buffer: Buffer.from(deployment(7)) },
    ]);
    await eventually(['Denied']);
  });

  test('exports a folder with a test that the program runs, and imports it again', async () => {
    await open({ ...simple, 'web.yaml': `${deployment(3)}---\n${deployment(8, 'many')}` });
    await eventually(['Allowed', 'Denied']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const archive = readFileSync(await (await download).path());
    const folder = folderUntil(onTestFinished, unzipSync(new Uint8Array(archive)));
    const testing = ['test', folder, '-o', 'json'];
    const { exitCode, stdout } = await runProgram(process.execPath, [program, ...testing]);
    expect(JSON.parse(stdout).summary).toMatchObject({ passed: 2, failed: 0, errored: 0 });
    expect(exitCode).toBe(0);
    await open(simple);
    await page.setInputFiles('.import input', {
      name: 'folder.zip',
      mimeType: 'application/zip',
      buffer: archive,
    });
    await eventually(['Allowed', 'Denied']);
  });

  test('says that an archive is broken', async () => {
    await page.setInputFiles('.import input', {
      name: 'folder.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from('no archive'),
    });
    await expect.poll(() => page.textContent('.notice')).toContain('folder.zip cannot be opened');
  });

  test('shares everything in a link, which opens as it was', async () => {
    await open({ 'policy.yaml': simple['policy.yaml'], 'wëb.yaml': deployment(9) });
    await page.getByLabel('Kubernetes').selectOption('1.33');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect.poll(() => page.url()).toContain('#files=');
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe(page.url());
    const second = await page.context().newPage();
    await second.goto(page.url());
    await readyPlayground(second);
    const given = await page.evaluate(() => window.kubeadmit?.files());
    await expect.poll(() => second.evaluate(() => window.kubeadmit?.files())).toEqual(given);
    await expect.poll(() => second.getByLabel('Kubernetes').inputValue()).toBe('1.33');
  });

  test('says that a link is broken, and shows an example', async () => {
    const other = await page.context().newPage();
    await other.goto(`${site.address}playground/#files=nonsense`);
    await readyPlayground(other);
    await expect.poll(() => other.textContent('.notice')).toContain('invalid link');
    await other.waitForSelector('article.object');
  });

  test('copies a script for kubectl', async () => {
    await open(simple);
    await eventually(['Allowed']);
    await page.getByRole('button', { name: 'Copy as kubectl' }).click();
    await expect.poll(() => page.textContent('.notice')).toContain('kubectl');
    const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).toContain('kubectl');
    const script = await read();
    expect(script).toContain("# policy.yaml\nkubectl apply -f - <<'EOF'");
    expect(script).toContain("# web.yaml\nkubectl create --dry-run=server -f - <<'EOF'");
    expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0);
  });

  test('follows the version of Kubernetes', async () => {
    await open({
      ...simple,
      'policy.yaml': policy('semver("1.2.3").isGreaterThan(semver("1.0.0"))'),
    });
    await eventually(['Allowed']);
    await page.getByLabel('Kubernetes').selectOption('1.30');
    await page.waitForSelector('.problems .error');
    await expect
      .poll(() => page.textContent('.problems'))
      .toContain("undeclared reference to 'semver'");
  });

  test('shows two versions side by side', async () => {
    await open({
      ...simple,
      'policy.yaml': policy('semver("1.2.3").isGreaterThan(semver("1.0.0"))'),
    });
    await page.getByLabel('Compare with').selectOption('1.31');
    await page.waitForSelector('[data-version="1.31"] .problems');
    const verdict = page.locator('[data-version="1.37"] .verdict');
    await expect.poll(() => verdict.count()).toBe(1);
    await page.getByLabel('Compare with').selectOption('');
    await expect.poll(() => page.locator('.column').count()).toBe(1);
  });

  test.each([
    ['object == null && oldObject.spec.replicas == 3', 'DELETE', 'Allowed'],
    ['object.spec.replicas == oldObject.spec.replicas', 'UPDATE', 'Allowed'],
    ['oldObject == null', 'UPDATE', 'Denied'],
  ])('asks about other operations: %s with %s', async (expression, operation, verdict) => {
    await open({ ...simple, 'policy.yaml': policy(expression) });
    await page.locator('.request summary').click();
    await page.getByLabel('Operation').selectOption(operation);
    await eventually([verdict]);
  });

  test('takes the objects as they were from a file', async () => {
    await open({
      'policy.yaml': policy('object.spec.replicas == oldObject.spec.replicas'),
      'web.yaml': deployment(3),
      'before.yaml': deployment(2),
    });
    await page.locator('.request summary').click();
    await page.getByLabel('Operation').selectOption('UPDATE');
    await page.getByLabel('Old objects').selectOption('before.yaml');
    await eventually(['Denied']);
  });

  test('asks as another user, in other groups, in a dry run, of a subresource', async () => {
    await open({
      ...simple,
      'policy.yaml': policy(
        'request.userInfo.username == "ann" && "dev" in request.userInfo.groups && request.dryRun',
      ),
    });
    await eventually(['Denied']);
    await page.locator('.request summary').click();
    await page.getByRole('textbox', { name: 'User' }).fill('ann');
    await page.getByLabel('Groups').fill('dev, ops');
    await page.getByLabel('Groups').blur();
    await page.getByLabel('Dry run').check();
    await eventually(['Allowed']);
    // A Deployment is not the object of a request for its scale.
    await page.getByLabel('Subresource').fill('scale');
    await eventually(['Invalid']);
  });

  test('tells why, with the values of the parts, the costs and the places', async () => {
    await open({ ...simple, 'web.yaml': deployment(9) });
    await eventually(['Denied']);
    await page.locator('.why > summary').click();
    const why = page.locator('.explanation');
    await expect
      .poll(() => why.textContent())
      .toContain('spec.matchConstraints.resourceRules[0] matches');
    await why.locator('.expression summary').first().click();
    await expect
      .poll(() => why.locator('dl').first().textContent())
      .toContain('object.spec.replicas9');
    await expect.poll(() => why.locator('.cost-bar').first().textContent()).toBe('cost 4');
    await why.getByRole('button', { name: 'policy.yaml:10' }).click();
    await expect
      .poll(() => page.locator('.cm-activeLine').first().textContent())
      .toContain('object.spec.replicas <= 5');
  });

  test('tells why a policy does not match', async () => {
    await open({
      ...simple,
      'web.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    });
    await eventually(['No policy matched']);
    await page.locator('.why > summary').click();
    await expect
      .poll(() => page.locator('.explanation').textContent())
      .toContain('lists API groups apps, not the core group');
  });

  test('shows values beside the lines, for the object that is chosen', async () => {
    await open({ ...simple, 'web.yaml': `${deployment(3)}---\n${deployment(9, 'many')}` });
    await eventually(['Allowed', 'Denied']);
    const value = page.locator('.line-value');
    await expect.poll(() => value.first().textContent()).toBe(' = false');
    await page.locator('.pick').first().click();
    await expect.poll(() => value.first().textContent()).toBe(' = true');
    await page.waitForSelector('.cm-line.covered-both');
  });

  test('shows the values of parts while the pointer rests on an expression', async () => {
    await open({ ...simple, 'web.yaml': deployment(9) });
    await page.waitForSelector('.line-value');
    await page.locator('.cm-line.covered-only-false').hover();
    await page.waitForSelector('.value-parts');
    await expect.poll(() => page.textContent('.value-parts')).toContain('object.spec.replicas9');
  });

  test('shows all failures, and not only the first', async () => {
    await open({
      ...simple,
      'policy.yaml': policy('object.spec.replicas <= 1\n  - expression: object.spec.replicas == 0'),
    });
    await eventually(['Denied']);
    await expect.poll(() => page.locator('.findings .deny').count()).toBe(2);
  });

  test('shows the changes of plugins and mutations, step by step', async () => {
    const pluginChanges = [
      'Admission plugin ServiceAccount: ServiceAccount shop/default',
      'Admission plugin Priority',
      'Admission plugin DefaultTolerationSeconds',
    ];
    await page.getByLabel('Example').selectOption('pod-defaults');
    await eventually(['Mutated', 'Denied']);
    await page.locator('.changed-by > summary').first().click();
    await expect
      .poll(() => page.locator('.changes h3').allTextContents())
      .toEqual([
        ...pluginChanges,
        'pod-defaults: spec.mutations[0]',
        'pod-defaults: spec.mutations[1]',
        ...pluginChanges,
      ]);
    const added = page.locator('.changes li:nth-child(4) .diff .added');
    await expect
      .poll(() => added.first().textContent())
      .toBe('+   automountServiceAccountToken: false\n');
  });

  test('checks custom resources by their definition', async () => {
    await page.getByLabel('Example').selectOption('custom-resource');
    await eventually(['Allowed', 'Denied', 'Invalid']);
    await expect
      .poll(() => page.locator('.failed .status-message').textContent())
      .toContain('minWorkers must not exceed maxWorkers');
  });

  test('runs rules of Kyverno', async () => {
    await page.getByLabel('Example').selectOption('kyverno/pod-rules');
    await expect.poll(() => page.locator('.findings').count()).toBe(4);
    await expect
      .poll(() => page.textContent('.judgements'))
      .toContain('Images need a tag other than latest.');
  });

  test('evaluates plain CEL', async () => {
    await page.getByLabel('Example').selectOption('plain-cel');
    await expect.poll(() => page.locator('.result').textContent()).toBe('"APPLE, APRICOT"');
    await showFile('expression.cel');
    await edit('list.size() / 0');
    await expect.poll(() => page.locator('.results').textContent()).toContain('division by zero');
    await edit('list.size(');
    await expect.poll(() => page.locator('.problems').textContent()).toContain('Syntax error');
  });

  test('shows errors of YAML at their position', async () => {
    await open({ ...simple, 'web.yaml': `${deployment(3)}\n  broken: [` });
    await page.waitForSelector('.problems .error');
    await expect
      .poll(() => page.locator('.problems .place').first().textContent())
      .toMatch(/^web\.yaml:1\d:/);
    await page.locator('.problems .place').first().click();
    await expect
      .poll(() => page.locator('[role=tab][aria-selected=true]').textContent())
      .toBe('web.yaml');
    await page.waitForSelector('.cm-lintRange-error, .cm-lintPoint-error', { state: 'attached' });
  });

  test('shows errors of a policy at their position', async () => {
    await open({ ...simple, 'policy.yaml': policy('object.spec.replicas <= ') });
    await page.waitForSelector('.problems .error');
    await expect.poll(() => page.textContent('.problems')).toContain('Syntax error');
    await expect
      .poll(() => page.locator('.problems .place').first().textContent())
      .toMatch(/^policy\.yaml:10/);
  });

  test('warns of fields that do not exist', async () => {
    await open({ ...simple, 'policy.yaml': policy('object.spec.replica <= 5') });
    await expect.poll(() => page.textContent('.judgements')).toContain("undefined field 'replica'");
  });

  test('says that a kind is not known', async () => {
    await open({
      ...simple,
      'web.yaml': 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n',
    });
    await expect
      .poll(() => page.textContent('.judgements'))
      .toContain('no matches for kind "Thing" in version "example.com/v1"');
  });

  test('stays usable with a manifest of a megabyte', async () => {
    const data = Array.from({ length: 9_000 }, (_, i) => `  key-${i}: "${'x'.repeat(100)}"`);
    await open({
      ...simple,
      'large.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n${data.join('\n')}\n`,
    });
    await eventually(['Allowed', 'No policy matched']);
    await showFile('large.yaml');
    await page.waitForSelector('.cm-content');
    await showFile('web.yaml');
    await edit(deployment(9));
    await eventually(['Denied', 'No policy matched']);
  });

  test('says that an expression burns its budget', async () => {
    const list = JSON.stringify(Array.from({ length: 120 }, (_, i) => i));
    await open({
      ...simple,
      'policy.yaml': policy(`>-
      ${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`),
    });
    await expect.poll(() => page.textContent('.judgements')).toContain('cost');
    await open(simple);
    await eventually(['Allowed']);
  });

  test('stays usable with a hostile regular expression', async () => {
    const answer = JSON.parse(
      await ask(
        page,
        'eval',
        JSON.stringify({
          id: 1,
          expression: 'text.matches("^(([a-z])+.)+[A-Z]([a-z])+$")',
          variables: { text: 'a'.repeat(50_000) },
        }),
      ),
    );
    expect(answer).toMatchObject({ id: 1, result: 'false' });
    await open(simple);
    await eventually(['Allowed']);
  });

  test('two tabs do not know each other', async () => {
    await open(simple);
    const second = await page.context().newPage();
    await second.goto(`${site.address}playground/?example=team-label`);
    await readyPlayground(second);
    await eventually(['Allowed']);
    await expect
      .poll(() => second.evaluate(() => Object.keys(window.kubeadmit?.files() ?? {})))
      .toContain('resources.yaml');
  });

  test('works on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open({ ...simple, 'web.yaml': deployment(9) });
    await eventually(['Denied']);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });

  test('follows the dark mode of the site', async () => {
    const colour = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await colour();
    await page.locator('.VPSwitchAppearance').first().click();
    await expect.poll(colour).not.toBe(light);
  });

  test('can be used without a mouse', async () => {
    await open(simple);
    await eventually(['Allowed']);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    const isOutside = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.closest('.cm-editor') === null);
    await expect.poll(isOutside).toBe(true);
  });

  test('releases everything when another page is opened', async () => {
    await page.getByRole('link', { name: 'Guides' }).first().click();
    await page.waitForURL(/guides/);
    await page.waitForFunction(() => window.kubeadmit === undefined);
  });
});

describe.skipIf(chromium === undefined)('without a network', () => {
  test('the playground opens and answers after the first visit', async () => {
    const site = await openSite();
    try {
      const { page } = await site.open('playground/');
      await page.evaluate(async () => {
        await navigator.serviceWorker.register('/service-worker.js');
        await navigator.serviceWorker.ready;
      });
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.context().setOffline(true);
      await page.goto(`${site.address}playground/?example=kyverno/pod-rules`);
      await readyPlayground(page);
      await page.waitForSelector('article.denied');
      await expect.poll(() => page.textContent('.judgements')).toContain('Images need a tag');
    } finally {
      await site.close();
    }
  });
});
