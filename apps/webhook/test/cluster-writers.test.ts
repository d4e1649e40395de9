import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { webhookConfigurations } from './harness/configurations.ts';
import { validatingPolicy } from './harness/policies.ts';
import { reportDefinitions } from './harness/reports.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const configMaps = '/api/v1/namespaces/shop/configmaps';
const events = '/apis/events.k8s.io/v1/namespaces/shop/events';
const reports = '/apis/wgpolicyk8s.io/v1alpha2/namespaces/shop/policyreports';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const patience = { timeout: 60_000, interval: 100 };

let cluster: TestCluster;
let webhook: TestWebhook;

const configMap = (name: string, labels: Readonly<Record<string, string>> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', labels },
});

async function itemsOf(path: string): Promise<readonly ApiObject[]> {
  return ((await cluster.ask(path))['items'] ?? []) as readonly ApiObject[];
}

/** Returns the results in reports by the name of the reported object. */
async function told(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const items = await itemsOf(path);
  return Object.fromEntries(
    items.map((item) => {
      const results = item['results'] as readonly Readonly<Record<string, string>>[];
      const { name } = item['scope'] as { readonly name: string };
      return [name, results.map(({ policy, result }) => `${policy} ${result}`).sort()];
    }),
  );
}

beforeAll(async () => {
  cluster = await startCluster();
  const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  await cluster.create('/api/v1/namespaces', shop);
  for (const definition of reportDefinitions()) await cluster.create(definitions, definition);
  const waitFor = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, patience);
  await waitFor(async () => expect(await cluster.ask(reports)).not.toHaveProperty('code'));
  await cluster.create(configMaps, configMap('old'));
  const audited = "object.metadata.?labels.team.orValue('') != ''";
  webhook = await startWebhook(
    {
      'denied.yaml': validatingPolicy('denied', "!object.metadata.name.startsWith('denied')", {
        message: 'not this name',
      }),
      'audited.yaml': validatingPolicy('audited', audited, {
        message: 'no team',
        actions: '[Audit, Warn]',
      }),
    },
    [
      ...['--kubeconfig', cluster.kubeconfig, '--log-allows', '0', '--events'],
      ...['--reports', 'wgpolicyk8s.io', '--scan-interval', '3600'],
    ],
  );
  const ca = readFileSync(join(webhook.folder, 'tls/ca.crt'));
  const asked = webhookConfigurations('kubeadmit', webhook.port, {
    caBundle: ca.toString('base64'),
  });
  for (const { path, object } of asked) await cluster.create(path, object);
  await waitFor(async () =>
    expect(await cluster.create(configMaps, configMap('denied-at-last'))).toHaveProperty('code'),
  );
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

test('existing objects of the kinds that policies match are scanned at the start', async () => {
  await expect.poll(async () => told(reports), patience).toHaveProperty('old');
  expect((await told(reports))['old']).toEqual(['audited fail', 'denied pass']);
  const report = (await itemsOf(reports)).find(
    ({ scope }) => (scope as { readonly name: string }).name === 'old',
  );
  const { metadata, scope, summary, results } = report as {
    readonly metadata: ApiObject;
    readonly scope: { readonly uid: string };
    readonly summary: ApiObject;
    readonly results: readonly ApiObject[];
  };
  expect(metadata).toMatchObject({
    name: `kubeadmit-${scope.uid}`,
    labels: { 'app.kubernetes.io/managed-by': 'kubeadmit' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'old', uid: scope.uid }],
  });
  expect(summary).toEqual({ pass: 1, fail: 1, warn: 0, error: 0, skip: 0 });
  expect(results.find(({ policy }) => policy === 'audited')).toMatchObject({
    ...{ source: 'kubeadmit', result: 'fail', message: 'no team', scored: false },
    properties: { binding: 'audited' },
    timestamp: { seconds: expect.any(Number), nanos: expect.any(Number) },
  });
  const clusterWide = '/apis/wgpolicyk8s.io/v1alpha2/clusterpolicyreports';
  expect(await itemsOf(clusterWide)).toEqual([]);
  const { text } = await webhook.read('/metrics');
  expect(Number(/^kubeadmit_scan_timestamp_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toMatch(/^kubeadmit_scan_problems 0$/m);
  const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/kubeadmit-scan';
  expect(await cluster.ask(lease)).toHaveProperty('spec.holderIdentity', expect.any(String));
});

test('a denial is an event in the namespace of the denied object, and repetitions are counted', async () => {
  const own = async (): Promise<readonly ApiObject[]> =>
    (await itemsOf(events)).filter(
      ({ regarding }) => (regarding as { readonly name: string }).name === 'denied',
    );
  expect(await cluster.create(configMaps, configMap('denied'))).toHaveProperty('code', 422);
  await expect.poll(own, patience).toHaveLength(1);
  const [event] = await own();
  expect(event).toMatchObject({
    type: 'Warning',
    reason: 'PolicyDenied',
    action: 'CREATE',
    note: 'policy denied, binding denied: not this name',
    reportingController: 'kubeadmit.dev/webhook',
    regarding: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'denied' },
  });
  await cluster.create(`${configMaps}?dryRun=All`, configMap('denied-dry'));
  for (let count = 0; count < 3; count++) await cluster.create(configMaps, configMap('denied'));
  await expect.poll(async () => (await own())[0]?.['series'], patience).toMatchObject({ count: 4 });
  expect(await own()).toHaveLength(1);
  expect(JSON.stringify(await itemsOf(events))).not.toContain('denied-dry');
});

test('reports an object that is allowed with a failure, and removes the report when it is repaired', async () => {
  await cluster.create(configMaps, configMap('new'));
  await expect
    .poll(async () => (await told(reports))['new'], patience)
    .toEqual(['audited fail', 'denied pass']);
  await cluster.create(configMaps, configMap('right', { team: 'a' }));
  const body = JSON.stringify({ metadata: { labels: { team: 'a' } } });
  const contentType = 'application/merge-patch+json';
  await cluster.ask(`${configMaps}/new`, { method: 'PATCH', body, contentType });
  await expect
    .poll(async () => (await told(reports))['new'], patience)
    .toEqual(['audited pass', 'denied pass']);
  // There was nothing to report; a scan will do so.
  expect(await told(reports)).not.toHaveProperty('right');
});

test('another process takes over scanning, scans again after policy changes, and removes outdated and forged results', async () => {
  const other = await startWebhook(
    { 'other.yaml': validatingPolicy('other', "object.metadata.name != 'old'") },
    [
      ...['--kubeconfig', cluster.kubeconfig, '--scan-interval', '1'],
      ...['--reports', 'openreports.io'],
    ],
  );
  const path = '/apis/openreports.io/v1alpha1/namespaces/shop/reports';
  await webhook.stop();
  webhook = other;
  await expect
    .poll(async () => told(path), patience)
    .toMatchObject({ old: ['other fail'], right: ['other pass'] });
  const [report] = await itemsOf(path);
  expect(report).toMatchObject({ source: 'kubeadmit' });
  const labels = { 'app.kubernetes.io/managed-by': 'kubeadmit' };
  const forged = { ...report, metadata: { name: 'forged', namespace: 'shop', labels } };
  expect(await cluster.create(path, forged)).not.toHaveProperty('code');
  await expect
    .poll(async () => cluster.ask(`${path}/forged`), patience)
    .toHaveProperty('code', 404);
  other.write('other.yaml', validatingPolicy('another', 'true'));
  await expect.poll(async () => told(path), patience).toMatchObject({ old: ['another pass'] });
  other.write('other.yaml', '# none');
  await expect.poll(async () => told(path), patience).toEqual({});
});
