import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { webhookConfigurations } from './harness/configurations.ts';
import { kyvernoDefinitions } from './harness/definitions.ts';
import { reportDefinitions } from './harness/reports.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const configMaps = '/api/v1/namespaces/shop/configmaps';
const reports = '/apis/wgpolicyk8s.io/v1alpha2/namespaces/shop/policyreports';
const policies = '/apis/kyverno.io/v1/clusterpolicies';
const patience = { timeout: 60_000, interval: 200 };
const kinds = { any: [{ resources: { kinds: ['ConfigMap'], namespaces: ['shop'] } }] };
const policy = { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', name: 'team' };

let cluster: TestCluster;
let webhook: TestWebhook;

const configMap = (name: string, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', labels },
});

function clusterPolicy(name: string, failureAction: string, spec: object = {}): object {
  const annotations = {
    'policies.kyverno.io/category': 'Teams',
    'policies.kyverno.io/severity': 'medium',
  };
  const pattern = { metadata: { labels: { [name]: '?*' } } };
  const validate = { failureAction, message: `no ${name}`, pattern };
  const rules = [{ name: 'labels', match: kinds, validate }];
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name, annotations },
    spec: { rules, ...spec },
  };
}

async function itemsOf(path: string): Promise<readonly ApiObject[]> {
  return ((await cluster.ask(path))['items'] ?? []) as readonly ApiObject[];
}

const eventsIn = (namespace: string) => (): Promise<readonly ApiObject[]> =>
  itemsOf(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`);

async function reportOf(name: string): Promise<ApiObject | undefined> {
  const items = await itemsOf(reports);
  return items.find(({ scope }) => (scope as { readonly name: string }).name === name);
}

beforeAll(async () => {
  cluster = await startCluster();
  const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  await cluster.create('/api/v1/namespaces', shop);
  for (const object of [...reportDefinitions(), ...kyvernoDefinitions()]) {
    await cluster.create(definitions, object);
  }
  await cluster.create(configMaps, configMap('old', { required: 'yes' }));
  await cluster.create(policies, clusterPolicy('team', 'Audit'));
  await cluster.create(policies, clusterPolicy('required', 'Enforce', { background: false }));
  webhook = await startWebhook({}, [
    ...['--kubeconfig', cluster.kubeconfig, '--events', '--as-kyverno'],
    ...['--reports', 'wgpolicyk8s.io', '--scan-interval', '2'],
  ]);
  const ca = readFileSync(join(webhook.folder, 'tls/ca.crt'));
  const asked = webhookConfigurations('kubeadmit', webhook.port, {
    caBundle: ca.toString('base64'),
  });
  for (const { path, object } of asked) await cluster.create(path, object);
  const create = (): Promise<ApiObject> => cluster.create(configMaps, configMap('probe'));
  await vi.waitFor(async () => expect(await create()).toHaveProperty('code', 400), patience);
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

test('a scan reports in the form of Kyverno', async () => {
  await expect
    .poll(() => reportOf('old'), patience)
    .toMatchObject({
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'kyverno' } },
      summary: { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 },
      results: [
        {
          source: 'kyverno',
          policy: 'team',
          rule: 'labels',
          result: 'fail',
          message: 'validation error: no team. rule labels failed at path /metadata/labels/team/',
          scored: true,
          category: 'Teams',
          severity: 'medium',
          properties: { process: 'background scan' },
        },
      ],
    });
  const report = await reportOf('old');
  const scope = report?.['scope'] as { readonly uid: string } | undefined;
  expect(report).toHaveProperty('metadata.name', scope?.uid);
});

test('a scan writes events about the object and about the policy', async () => {
  const related = { kind: 'ConfigMap', name: 'old', namespace: 'shop' };
  await expect.poll(eventsIn('default'), patience).toContainEqual(
    expect.objectContaining({
      reportingController: 'kyverno-scan',
      reason: 'PolicyViolation',
      action: 'Resource Passed',
      type: 'Warning',
      note: expect.stringMatching(/^ConfigMap shop\/old: \[labels\] fail; validation error/),
      regarding: expect.objectContaining(policy),
      related: expect.objectContaining(related),
    }),
  );
  await expect.poll(eventsIn('shop'), patience).toContainEqual(
    expect.objectContaining({
      reportingController: 'kyverno-scan',
      note: expect.stringMatching(/^policy team\/labels fail: validation error/),
      regarding: expect.objectContaining(related),
    }),
  );
});

test('a denial is an event about the policy alone', async () => {
  expect(await cluster.create(configMaps, configMap('denied'))).toHaveProperty('code', 400);
  await expect.poll(eventsIn('default'), patience).toContainEqual(
    expect.objectContaining({
      reportingController: 'kyverno-admission',
      action: 'Resource Blocked',
      note: expect.stringMatching(/^ConfigMap shop\/denied: \[labels\] fail \(blocked\); /),
      regarding: expect.objectContaining({ ...policy, name: 'required' }),
    }),
  );
  expect(JSON.stringify(await eventsIn('shop')())).not.toContain('kyverno-admission');
});

test('results of policies for requests alone stay in the report after scans', async () => {
  const labels = { required: 'yes', team: 'a' };
  await cluster.create(configMaps, configMap('new', labels));
  const results = [
    { policy: 'required', result: 'pass', properties: { process: 'admission review' } },
    { policy: 'team', result: 'pass', properties: { process: 'background scan' } },
  ];
  await expect.poll(() => reportOf('new'), patience).toMatchObject({ results });
  const { text } = await webhook.read('/metrics');
  const scans = (of: string): number =>
    Number(/^kubeadmit_scan_timestamp_seconds (\S+)$/m.exec(of)?.[1]);
  await expect
    .poll(async () => scans((await webhook.read('/metrics')).text), patience)
    .toBeGreaterThan(scans(text) + 3);
  expect(await reportOf('new')).toMatchObject({ results });
});
