import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const namespaces = '/api/v1/namespaces';

const inProduction = validatingPolicy('policy', 'false').replace(
  'validationActions: [Deny]',
  'validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {env: prod}}}',
);

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.stop());

async function createNamespace(name: string, env: string): Promise<void> {
  const metadata = { name, labels: { env } };
  await cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
}

async function label(name: string, env: string): Promise<void> {
  await cluster.ask(`${namespaces}/${name}`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ metadata: { labels: { env } } }),
  });
}

describe.each(['watch', 'live'])('with --namespace-lookup=%s', (mode) => {
  let webhook: TestWebhook;

  beforeAll(async () => {
    const options = ['--kubeconfig', cluster.kubeconfig, `--namespace-lookup=${mode}`];
    webhook = await startWebhook({ 'policy.yaml': inProduction }, options);
    const ready = async (): Promise<void> => expect((await webhook.read('/readyz')).code).toBe(200);
    await vi.waitFor(ready, { timeout: 30_000, interval: 100 });
  });

  afterAll(() => webhook.stop());

  const isAllowed = async (namespace: string): Promise<unknown> => {
    const { body } = await webhook.ask('/validate', configMapReview({ request: { namespace } }));
    return (body['response'] as { readonly allowed: boolean }).allowed;
  };

  test('a policy that selects namespaces decides about the first object of a new namespace', async () => {
    const answers: unknown[] = [];
    for (let count = 0; count < 30; count++) {
      const name = `new-${mode}-${count}`;
      await createNamespace(name, 'prod');
      answers.push(await isAllowed(name));
    }
    expect(answers.filter((each) => each === true)).toEqual([]);
  });

  test('changed labels act without a reload of the policies', async () => {
    const name = `changing-${mode}`;
    await createNamespace(name, 'dev');
    await expect.poll(() => isAllowed(name)).toBe(true);
    const loads = (): number =>
      webhook.log.filter(({ message }) => message === 'policies loaded').length;
    const before = loads();
    let late = 0;
    for (let count = 0; count < 20; count++) {
      const env = count % 2 === 0 ? 'prod' : 'dev';
      await label(name, env);
      // A watch needs a moment; a lookup does not.
      if (mode === 'watch') await new Promise((resolve) => setTimeout(resolve, 20));
      if ((await isAllowed(name)) !== (env === 'dev')) late++;
    }
    expect(late).toBeLessThanOrEqual(mode === 'watch' ? 1 : 0);
    expect(loads()).toBe(before);
  });

  test('a namespace that is deleted and created again has its new labels', async () => {
    const name = `again-${mode}`;
    await createNamespace(name, 'prod');
    expect(await isAllowed(name)).toBe(false);
    await cluster.ask(`${namespaces}/${name}`, { method: 'DELETE' });
    await expect.poll(async () => (await cluster.ask(`${namespaces}/${name}`)).code).toBe(404);
    await createNamespace(name, 'dev');
    await expect.poll(() => isAllowed(name)).toBe(true);
  });
});
