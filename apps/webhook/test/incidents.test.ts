import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { validatingPolicy } from './harness/policies.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

// Public incidents of other admission webhooks: every node was lost, no webhook answered, and the cluster could not
// recover because `failurePolicy: Fail` refused requests of nodes and controllers.

let cluster: TestCluster;
let webhook: TestWebhook;

const own = 'policies';
const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example.com/main' }] },
});
const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;

beforeAll(async () => {
  cluster = await startCluster();
  for (const name of [own, 'shop']) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await cluster.create('/api/v1/namespaces', namespace);
  }
  for (const namespace of ['kube-system', own, 'shop']) {
    await cluster.create(pods(namespace), pod('before'));
  }
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'before' } };
  await cluster.create('/api/v1/nodes', node);
  const all = validatingPolicy('everything', 'true')
    .replace("apiGroups: ['']", "apiGroups: ['*']")
    .replace('apiVersions: [v1]', "apiVersions: ['*']")
    .replace(/operations: \[[^\]]*\]/, "operations: ['*']")
    .replace('resources: [configmaps]', "resources: ['*/*']");
  webhook = await startWebhook({ 'policy.yaml': all }, [
    ...['--kubeconfig', cluster.kubeconfig, '--no-native-policies', '--no-own-policies'],
    // Nothing answers there.
    ...['--register', 'kubeadmit', '--webhook-url', 'https://127.0.0.1:1'],
    ...['--exclude-namespace', own, '--webhook-timeout', '1'],
  ]);
  const registered = async (): Promise<void> =>
    expect(await cluster.create(pods('shop'), pod('probe'))).toHaveProperty('code', 500);
  await vi.waitFor(registered, { timeout: 30_000, interval: 200 });
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

test('a pod of a user needs the webhook', async () => {
  const answer = await cluster.create(pods('shop'), pod('refused'));
  expect(answer['message']).toContain('failed calling webhook "validate-fail.kubeadmit.dev"');
});

const created: readonly (readonly [string, string, object])[] = [
  [
    'kyverno/kyverno#11122: a node registers',
    '/api/v1/nodes',
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'after' } },
  ],
  [
    'kyverno/kyverno#11122: a node sends its heartbeat',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'after' } },
  ],
  [
    'kyverno/kyverno#11122: a node reports its storage drivers',
    '/apis/storage.k8s.io/v1/csinodes',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'after' },
      spec: { drivers: [] },
    },
  ],
  ['kyverno/kyverno#4686: the network of a node starts', pods('kube-system'), pod('network')],
  ['kyverno/kyverno#2869: the webhook itself starts', pods(own), pod('webhook')],
  [
    'kyverno/kyverno#2869: a controller is elected',
    '/apis/coordination.k8s.io/v1/namespaces/shop/leases',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'controller' } },
  ],
  [
    'kyverno/kyverno#2869: the endpoints of the webhook become known',
    `/apis/discovery.k8s.io/v1/namespaces/${own}/endpointslices`,
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'webhook' },
      addressType: 'IPv4',
      endpoints: [],
    },
  ],
];

describe('without the webhook', () => {
  test.each(created)('%s', async (_, path, object) => {
    const { name } = (object as { readonly metadata: { readonly name: string } }).metadata;
    expect(await cluster.create(path, object)).toMatchObject({ metadata: { name } });
  });

  const change = (path: string, body: object): Promise<ApiObject> =>
    cluster.ask(path, {
      ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
      body: JSON.stringify(body),
    });

  test('kyverno/kyverno#11122: a node becomes ready and loses its taint', async () => {
    const conditions = [{ type: 'Ready', status: 'True' }];
    expect(
      await change('/api/v1/nodes/before/status', { status: { conditions } }),
    ).not.toHaveProperty('code');
    expect(await change('/api/v1/nodes/before', { spec: { taints: [] } })).not.toHaveProperty(
      'code',
    );
  });

  test('kyverno/kyverno#11122: a kubelet reports a pod of a user', async () => {
    const status = { status: { phase: 'Running' } };
    expect(await change(`${pods('shop')}/before/status`, status)).not.toHaveProperty('code');
  });

  test('kyverno/kyverno#4686: pods of a lost node are removed', async () => {
    const removed = await cluster.ask(`${pods('kube-system')}/before`, {
      method: 'DELETE',
      body: JSON.stringify({ gracePeriodSeconds: 0 }),
    });
    expect(removed).not.toHaveProperty('code', 500);
  });
});

test('kyverno/kyverno#2962: policies that only audit block nothing without the webhook', async () => {
  const audited = validatingPolicy('audited', 'false', { actions: '[Audit]' }).replace(
    'resources: [configmaps]',
    'resources: [pods]',
  );
  const calm = await startCluster();
  await calm.create('/api/v1/namespaces', {
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  });
  const auditing = await startWebhook({ 'policy.yaml': audited }, [
    ...['--kubeconfig', calm.kubeconfig, '--no-native-policies', '--no-own-policies'],
    '--no-kyverno-policies',
    ...['--register', 'kubeadmit', '--webhook-url', 'https://127.0.0.1:1'],
    ...['--webhook-timeout', '1'],
  ]);
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/kubeadmit';
  const isRegistered = async (): Promise<void> => {
    const { webhooks } = await calm.ask(path);
    expect(webhooks).toMatchObject([{ rules: [{ resources: ['pods'] }] }]);
  };
  await vi.waitFor(isRegistered, { timeout: 30_000, interval: 200 });
  expect(await calm.create(pods('shop'), pod('new'))).toMatchObject({ metadata: { name: 'new' } });
  await auditing.stop();
  await calm.stop();
});
