import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextRun } from '../src/background/schedule.ts';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { backgroundDefinitions, kyvernoDefinitions } from './harness/definitions.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const namespaces = '/api/v1/namespaces';
const configMaps = `${namespaces}/shop/configmaps`;
const schedule = '0 0 1 * *';
const longAgo = '2020-01-01T00:00:00Z';

let cluster: TestCluster;
let webhook: TestWebhook;

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of [...kyvernoDefinitions(), ...backgroundDefinitions()]) {
    await cluster.create(definitions, object);
  }
  for (const name of ['shop', 'other', 'excluded']) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await cluster.create(namespaces, object);
  }
  webhook = await startWebhook({}, [
    ...['--kubeconfig', cluster.kubeconfig, '--background', '--exclude-namespace', 'excluded'],
  ]);
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

async function createConfigMap(name: string, metadata: object, namespace = 'shop'): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
  const answer = await cluster.create(`${namespaces}/${namespace}/configmaps`, object);
  expect(answer).not.toHaveProperty('code');
}

async function codeOf(name: string, namespace = 'shop'): Promise<number | undefined> {
  return (await cluster.ask(`${namespaces}/${namespace}/configmaps/${name}`)).code;
}

const isGone = (name: string): Promise<void> =>
  expect.poll(() => codeOf(name), { timeout: 20_000 }).toBe(404);

const matching = (label: string): object => ({
  any: [{ resources: { kinds: ['ConfigMap'], selector: { matchLabels: { [label]: 'yes' } } } }],
});

interface Policy {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: object;
}

/** Creates a policy that should have run long ago. */
async function createOverdue(path: string, policy: Policy): Promise<void> {
  expect(await cluster.create(path, policy)).not.toHaveProperty('code');
  const answer = await cluster.ask(`${path}/${policy.metadata.name}/status`, {
    method: 'PATCH',
    body: JSON.stringify({ status: { lastExecutionTime: longAgo } }),
    contentType: 'application/merge-patch+json',
  });
  expect(answer).not.toHaveProperty('code');
}

interface PolicyCase {
  readonly title: string;
  readonly path: string;
  readonly policy: Policy;
}

const cases: readonly PolicyCase[] = [
  {
    title: 'a ClusterCleanupPolicy deletes what it selects on its schedule',
    path: '/apis/kyverno.io/v2/clustercleanuppolicies',
    policy: {
      apiVersion: 'kyverno.io/v2',
      kind: 'ClusterCleanupPolicy',
      metadata: { name: 'old' },
      spec: {
        schedule,
        match: matching('cluster-cleanup'),
        conditions: {
          any: [{ key: '{{ target.data.old }}', operator: 'Equals', value: 'yes' }],
        },
      },
    },
  },
  {
    title: 'a DeletingPolicy deletes what it selects on its schedule',
    path: '/apis/policies.kyverno.io/v1/deletingpolicies',
    policy: {
      apiVersion: 'policies.kyverno.io/v1',
      kind: 'DeletingPolicy',
      metadata: { name: 'old' },
      spec: {
        schedule,
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
          ],
          objectSelector: { matchLabels: { deleting: 'yes' } },
        },
        conditions: [{ name: 'old', expression: "object.data.old == 'yes'" }],
      },
    },
  },
];

test.each(cases)('$title', async ({ path, policy }) => {
  const labels = { 'cluster-cleanup': 'yes', deleting: 'yes' };
  for (const old of ['yes', 'no']) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `old-${old}`, labels },
    };
    await cluster.create(configMaps, { ...object, data: { old } });
  }
  await createOverdue(path, policy);
  await isGone('old-yes');
  expect(await codeOf('old-no')).toBeUndefined();
  const status = async (): Promise<unknown> =>
    (await cluster.ask(`${path}/old`))['status'] as unknown;
  await expect.poll(status).not.toEqual({ lastExecutionTime: longAgo });
  await cluster.ask(`${path}/old`, { method: 'DELETE' });
});

test('a CleanupPolicy deletes objects in its namespace alone', async () => {
  const labels = { cleanup: 'yes' };
  await createConfigMap('one', { labels }, 'other');
  await createConfigMap('one', { labels });
  await createOverdue('/apis/kyverno.io/v2/namespaces/shop/cleanuppolicies', {
    apiVersion: 'kyverno.io/v2',
    kind: 'CleanupPolicy',
    metadata: { name: 'local' },
    spec: { schedule, match: matching('cleanup') },
  });
  await isGone('one');
  expect(await codeOf('one', 'other')).toBeUndefined();
});

test('deletes an object when its time to live has passed', async () => {
  const ttl = (value: string): object => ({ labels: { 'cleanup.kyverno.io/ttl': value } });
  await createConfigMap('later', ttl('1h'));
  await createConfigMap('invalid', ttl('soon'));
  await createConfigMap('past', ttl('2020-01-01'));
  await createConfigMap('now', ttl('1s'));
  await isGone('now');
  await isGone('past');
  expect(await codeOf('later')).toBeUndefined();
  expect(await codeOf('invalid')).toBeUndefined();
  const problems = webhook.log.map(({ problem }) => String(problem ?? ''));
  expect(problems.filter((problem) => problem.includes('invalid value "soon"'))).toHaveLength(1);
});

test('does not delete an excluded namespace', async () => {
  const labels = { 'cleanup.kyverno.io/ttl': '2020-01-01', 'namespace-cleanup': 'yes' };
  const change = (name: string): Promise<unknown> =>
    cluster.ask(`${namespaces}/${name}`, {
      method: 'PATCH',
      body: JSON.stringify({ metadata: { labels } }),
      contentType: 'application/merge-patch+json',
    });
  await change('excluded');
  await createConfigMap('after-excluded', { labels });
  await isGone('after-excluded');
  const { metadata } = await cluster.ask(`${namespaces}/excluded`);
  expect(metadata).not.toHaveProperty('deletionTimestamp');
});

test('changes nothing in a dry run', async () => {
  const apart = await startCluster();
  const dryRun = await startWebhook({}, [
    ...['--kubeconfig', apart.kubeconfig, '--background', '--background-dry-run'],
  ]);
  try {
    await apart.create(`${namespaces}/default/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kept', labels: { 'cleanup.kyverno.io/ttl': '2020-01-01' } },
    });
    const logged = (): unknown =>
      dryRun.log.find(({ message }) => String(message).startsWith('dry run: '));
    await expect.poll(logged, { timeout: 20_000 }).toMatchObject({
      action: 'delete',
      task: 'ttl',
      object: 'default/kept',
    });
    const path = `${namespaces}/default/configmaps/kept`;
    expect(await apart.ask(path)).not.toHaveProperty('code');
  } finally {
    await dryRun.stop();
    await apart.stop();
  }
});

describe('the next run of a schedule', () => {
  test.each([
    ['*/5 * * * *', '2026-01-01T00:05:00Z'],
    ['0 0 1 * 1', '2026-01-05T00:00:00Z'],
    ['0 0 ? * sun', '2026-01-04T00:00:00Z'],
    ['0 0 L * *', '2026-01-31T00:00:00Z'],
    ['0 0 15W * *', '2026-01-15T00:00:00Z'],
    ['0 0 * * 5#2', '2026-01-09T00:00:00Z'],
    ['0 12 * * * 2027', '2027-01-01T12:00:00Z'],
    ['30 0 12 * * * 2027', '2027-01-01T12:00:30Z'],
    ['@daily', '2026-01-02T00:00:00Z'],
    ['0 0 31 2 *', undefined],
  ])('of %s is %s', (schedule, expected) => {
    const after = Date.parse('2026-01-01T00:00:30Z');
    expect(nextRun(schedule, after)).toBe(expected && Date.parse(expected));
  });
});
