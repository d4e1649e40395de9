import { member } from '@kubeadmit/apimachinery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../src/cluster/api-client.ts';
import { registrationStatus } from '../src/registration/status.ts';
import { uninstall } from '../src/registration/uninstall.ts';
import { webhookCommand } from '../src/webhook-command.ts';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { mutatingPolicy, validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const validating = `${group}/validatingwebhookconfigurations`;
const mutating = `${group}/mutatingwebhookconfigurations`;

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.stop());

/** Starts a webhook that registers itself; it gets no requests, since nothing listens at its URL. */
function start(
  name: string,
  files: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<TestWebhook> {
  return startWebhook(files, [
    ...['--kubeconfig', cluster.kubeconfig, '--no-native-policies', '--no-own-policies'],
    '--no-kyverno-policies',
    ...[
      '--register',
      name,
      '--webhook-url',
      'https://127.0.0.1:1',
      '--exclude-namespace',
      'default',
    ],
    ...options,
  ]);
}

const webhooksOf = async (path: string, name: string): Promise<readonly ApiObject[]> =>
  ((await cluster.ask(`${path}/${name}`))['webhooks'] ?? []) as readonly ApiObject[];

const resourcesOf = (webhook: ApiObject | undefined): unknown =>
  member((member(webhook, 'rules') as readonly unknown[] | undefined)?.[0], 'resources');

describe('a webhook that registers itself', () => {
  let webhook: TestWebhook;

  beforeAll(async () => {
    webhook = await start('own', { 'policy.yaml': 'a: [' });
  });

  afterAll(() => webhook.stop());

  test('writes nothing before it is ready', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await webhook.read('/readyz')).code).toBe(503);
    expect(await cluster.ask(`${validating}/own`)).toMatchObject({ code: 404 });
  });

  test('registers the webhooks of the policies when it is ready', async () => {
    webhook.write('policy.yaml', validatingPolicy('policy', 'true'));
    await expect.poll(() => webhooksOf(validating, 'own')).toHaveLength(1);
    const [registered] = await webhooksOf(validating, 'own');
    expect(registered).toMatchObject({
      name: 'validate-fail.kubeadmit.dev',
      failurePolicy: 'Fail',
    });
    expect(resourcesOf(registered)).toEqual(['configmaps']);
    expect(member(registered?.['clientConfig'], 'url')).toBe('https://127.0.0.1:1/validate/fail');
    expect(member(registered?.['clientConfig'], 'caBundle')).toMatch(/^LS0t/);
    expect((await webhook.read('/readyz?verbose')).text).toContain('[+]registration ok');
    expect(await cluster.ask(`${mutating}/own`)).toMatchObject({ code: 404 });
  });

  test('restores configurations that another client changed or deleted', async () => {
    const patch = [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }];
    await cluster.ask(`${validating}/own`, {
      ...{ method: 'PATCH', contentType: 'application/json-patch+json' },
      body: JSON.stringify(patch),
    });
    const failurePolicy = async (): Promise<unknown> =>
      (await webhooksOf(validating, 'own'))[0]?.['failurePolicy'];
    await expect.poll(failurePolicy).toBe('Fail');
    await cluster.ask(`${validating}/own`, { method: 'DELETE' });
    await expect.poll(failurePolicy).toBe('Fail');
  });

  test('follows the policies, also to none', async () => {
    const more = validatingPolicy('soft', 'true', { failurePolicy: 'Ignore' });
    webhook.write('soft.yaml', more.replace('resources: [configmaps]', 'resources: [secrets]'));
    webhook.write('mutating.yaml', mutatingPolicy('mutating', 'Object{}'));
    await expect.poll(() => webhooksOf(validating, 'own')).toHaveLength(2);
    await expect.poll(() => webhooksOf(mutating, 'own')).toHaveLength(1);
    expect(resourcesOf((await webhooksOf(validating, 'own'))[1])).toEqual(['secrets']);
    webhook.write('mutating.yaml', '# none');
    await expect.poll(async () => (await cluster.ask(`${mutating}/own`)).code).toBe(404);
  });

  test('names the policies that an exemption affects', async () => {
    const text = validatingPolicy('nodes', 'true');
    webhook.write('soft.yaml', text.replace('resources: [configmaps]', 'resources: [nodes]'));
    const exemption = 'ValidatingAdmissionPolicy/nodes does not apply to nodes';
    await expect
      .poll(async () => (await webhook.read('/readyz?verbose')).text)
      .toContain(`[!]exemptions degraded: ${exemption}`);
    expect(webhook.log.some(({ problem }) => String(problem).startsWith(exemption))).toBe(true);
  });
});

test('configurations have the annotations of the options and keep those of others', async () => {
  const annotated = validatingPolicy('policy', 'true');
  const options = ['--configuration-annotation', 'admissions.enforcer/disabled=true'];
  const webhook = await start('annotated', { 'policy.yaml': annotated }, options);
  const annotations = async (): Promise<unknown> =>
    member((await cluster.ask(`${validating}/annotated`))['metadata'], 'annotations');
  await expect.poll(annotations).toEqual({ 'admissions.enforcer/disabled': 'true' });
  const changed = { 'admissions.enforcer/disabled': null, owner: 'platform' };
  await cluster.ask(`${validating}/annotated`, {
    ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { annotations: changed } }),
  });
  const all = { 'admissions.enforcer/disabled': 'true', owner: 'platform' };
  await expect.poll(annotations).toEqual(all);
  await webhook.stop();
});

describe('with --unregister-at-zero, the end of a replica', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';

  test.each([
    ['deletes the configurations of a Deployment that is scaled to zero', 'zero', 0, 404],
    ['keeps those of a Deployment that has replicas', 'two-replicas', 2, undefined],
    ['deletes those of a Deployment that was deleted', 'deleted', undefined, 404],
  ])('%s', async (_, name, replicas, code) => {
    const labels = { app: name };
    const container = { name: 'webhook', image: 'example.com/webhook' };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    if (replicas !== undefined) {
      await cluster.create(deployments, {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
        spec: { replicas, selector: { matchLabels: labels }, template },
      });
    }
    const files = { 'policy.yaml': validatingPolicy('policy', 'true') };
    const webhook = await start(name, files, ['--unregister-at-zero', name]);
    await expect.poll(() => webhooksOf(validating, name)).toHaveLength(1);
    await webhook.stop();
    expect((await cluster.ask(`${validating}/${name}`))['code']).toBe(code);
  });
});

test('of several replicas one writes, and they agree', async () => {
  const files = { 'policy.yaml': validatingPolicy('policy', 'true') };
  const [one, two] = await Promise.all([start('two', files), start('two', files)]);
  await expect.poll(() => webhooksOf(validating, 'two')).toHaveLength(1);
  const writes = (webhook: TestWebhook): number =>
    webhook.log.filter(({ message }) => message === 'webhook configuration written').length;
  const counts = [writes(one), writes(two)].sort();
  expect(counts[0]).toBe(0);
  await Promise.all([one.stop(), two.stop()]);
});

test.each([
  ['by hand', '/validate/fail', '/validate/ignore'],
  // A policy that only warns blocks nothing while the webhook is down.
  ['by itself', '/validate/ignore', '/validate/fail'],
])('registered %s, each path evaluates its policies alone', async (how, warning, silent) => {
  const files = {
    'fail.yaml': validatingPolicy('hard', 'false', { message: 'hard' }),
    'ignore.yaml': validatingPolicy('soft', 'false', { message: 'soft', failurePolicy: 'Ignore' }),
    'warn.yaml': validatingPolicy('mild', 'false', { message: 'mild', actions: '[Warn]' }),
    'kyverno.yaml': `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: team}
spec:
  failurePolicy: Ignore
  rules:
  - name: rule
    match: {any: [{resources: {kinds: [ConfigMap]}}]}
    validate:
      failureAction: Audit
      message: a team is required
      pattern: {metadata: {labels: {team: "?*"}}}
`,
  };
  const webhook = await (how === 'by hand' ? startWebhook(files) : start('paths', files));
  await expect.poll(async () => (await webhook.read('/readyz')).code).toBe(200);
  const messages = async (path: string): Promise<unknown> => {
    const { body } = await webhook.ask(path, configMapReview());
    const { status } = body['response'] as { readonly status?: { readonly message: string } };
    return status?.message.replace(/.*: /, '');
  };
  const warnings = async (path: string): Promise<unknown> => {
    const { body } = await webhook.ask(path, configMapReview());
    return member(body['response'], 'warnings');
  };
  expect(await warnings(silent)).toBeUndefined();
  expect(await warnings(warning)).toEqual([expect.stringContaining('mild')]);
  expect(await messages('/validate/fail?timeout=5s')).toBe('hard');
  expect(await messages('/validate/ignore')).toBe('soft');
  expect(await messages('/validate')).toBe('hard');
  expect((await webhook.ask('/validate/other', configMapReview())).code).toBe(404);
  await webhook.stop();
});

describe('kubeadmit webhook', () => {
  const run = async (...args: readonly string[]): Promise<{ code: number; text: string }> => {
    const texts: string[] = [];
    const write = (text: string): void => {
      texts.push(text);
    };
    const code = await webhookCommand(args, { writeOut: write, writeErr: write });
    return { code, text: texts.join('') };
  };

  test('prints the status of the registration, and removes it', async () => {
    const webhook = await start('status', { 'policy.yaml': validatingPolicy('policy', 'true') });
    await expect.poll(() => webhooksOf(validating, 'status')).toHaveLength(1);
    await webhook.stop();
    const options = ['--name', 'status', '--kubeconfig', cluster.kubeconfig];
    const status = await run('status', ...options);
    expect(status.text).toContain('MutatingWebhookConfiguration/status: not registered\n');
    expect(status.text).toContain(
      'ValidatingWebhookConfiguration/status: validate-fail.kubeadmit.dev\n  failure policy  Fail\n  matches         * configmaps\n',
    );
    expect(status.text).toContain('  reachable       no: ');
    expect(status.code).toBe(1);
    expect(await run('uninstall', ...options)).toEqual({
      code: 0,
      text: `registration paused (Lease default/status-registration)
validatingwebhookconfigurations/status deleted
`,
    });
  });

  test('removes the configurations of a webhook that runs, until it is resumed', async () => {
    const webhook = await start('running', { 'policy.yaml': validatingPolicy('policy', 'true') });
    const options = ['--name', 'running', '--kubeconfig', cluster.kubeconfig];
    try {
      await expect.poll(() => webhooksOf(validating, 'running')).toHaveLength(1);
      expect((await run('uninstall', ...options)).code).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(await webhooksOf(validating, 'running')).toEqual([]);
      expect((await webhook.read('/readyz?verbose')).text).toContain(
        '[!]registration degraded: the registration is paused; resume it with `kubeadmit webhook resume`',
      );
      expect(await run('resume', ...options)).toEqual({
        code: 0,
        text: 'registration of the webhook in default resumed\n',
      });
      await expect.poll(() => webhooksOf(validating, 'running')).toHaveLength(1);
    } finally {
      await webhook.stop();
    }
  });

  test('says so where nothing is registered', async () => {
    const options = ['--name', 'none', '--kubeconfig', cluster.kubeconfig];
    expect((await run('uninstall', ...options)).text).toBe('nothing is registered\n');
    expect((await run('resume', ...options)).text).toBe('no webhook registration found\n');
  });

  test('an expired authority is a problem of the status', async () => {
    const webhook = await start('expired', { 'policy.yaml': validatingPolicy('policy', 'true') });
    await expect.poll(() => webhooksOf(validating, 'expired')).toHaveLength(1);
    await webhook.stop();
    const client = await ApiClient.open({ kind: 'kubeconfig', file: cluster.kubeconfig });
    const later = Date.now() + 20 * 365 * 86_400_000;
    const { lines, hasProblem } = await registrationStatus(client, 'expired', later);
    expect(lines.join('\n')).toMatch(/authority +expired \d+ days ago/);
    expect(hasProblem).toBe(true);
    await uninstall(client, 'expired');
  });

  test.each([
    [['manifests', '-p', '/nowhere', '--service', 'a/b'], 2, 'no such file'],
    [
      ['manifests', '-p', '/nowhere', '--service', 'a/b', '--webhook-url', 'https://a'],
      2,
      'is required',
    ],
    [
      ['manifests', '-p', '/nowhere', '--include-control-plane', 'pods'],
      2,
      'Expected one of nodes',
    ],
    [['status', '--kubeconfig', '/nowhere'], 4, '/nowhere: no such file'],
    [['unknown'], 2, "unknown command 'unknown'"],
  ])('%j ends with %d and says why', async (args, code, text) => {
    expect(await run(...args)).toEqual({ code, text: expect.stringContaining(text) });
  });
});
