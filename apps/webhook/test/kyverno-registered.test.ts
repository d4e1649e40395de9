import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { backgroundDefinitions, kyvernoDefinitions } from './harness/definitions.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const clusterPolicies = '/apis/kyverno.io/v1/clusterpolicies';
const validatingPolicies = '/apis/policies.kyverno.io/v1/validatingpolicies';
const configurations =
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/kyverno';

let cluster: TestCluster;
let webhook: TestWebhook;

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of [...kyvernoDefinitions(), ...backgroundDefinitions()]) {
    await cluster.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object);
  }
  webhook = await startWebhook({}, [
    ...['--kubeconfig', cluster.kubeconfig, '--no-native-policies', '--no-own-policies'],
    ...['--register', 'kyverno', '--webhook-url', 'https://127.0.0.1:1', '--background'],
  ]);
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

function classic(name: string, kinds: readonly string[], more: object = {}): object {
  const validate = { message: 'm', pattern: { metadata: { name: '?*' } }, failureAction: 'Audit' };
  const rule = { name: 'rule', match: { any: [{ resources: { kinds } }] }, validate, ...more };
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name },
    spec: { rules: [rule] },
  };
}

const stored = (path: string): Promise<Readonly<Record<string, unknown>>> => cluster.ask(path);

test('a registered policy becomes ready, and its status is written once', async () => {
  // Nothing listens at the URL, so the API server could not store a policy after the registration.
  await cluster.ask(configurations, { method: 'DELETE' });
  await cluster.create(clusterPolicies, classic('ready', ['Pod']));
  await expect
    .poll(() => stored(`${clusterPolicies}/ready`), { timeout: 20_000 })
    .toMatchObject({
      status: {
        conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', message: 'Ready' }],
        rulecount: { validate: 1 },
        autogen: { rules: [{ name: 'autogen-rule' }, { name: 'autogen-cronjob-rule' }] },
      },
    });
  const { metadata } = await stored(`${clusterPolicies}/ready`);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await stored(`${clusterPolicies}/ready`))['metadata']).toEqual(metadata);
});

test('a policy that mutates existing objects is ready when no change of a trigger is missed', async () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const targets = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'target', namespace: 'default' }];
  const patchStrategicMerge = { data: { patched: 'yes' } };
  const rule = {
    name: 'rule',
    match: { any: [{ resources: { kinds: ['Secret'], operations: ['DELETE'] } }] },
    mutate: { targets, patchStrategicMerge },
  };
  for (const [path, kind, name] of [
    [configMaps, 'ConfigMap', 'target'],
    ['/api/v1/namespaces/default/secrets', 'Secret', 'trigger'],
  ] as const) {
    await cluster.create(path, { apiVersion: 'v1', kind, metadata: { name } });
  }
  await cluster.ask(configurations, { method: 'DELETE' });
  await cluster.create(clusterPolicies, {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'mutates' },
    spec: { rules: [rule] },
  });
  await expect
    .poll(() => stored(`${clusterPolicies}/mutates`), { timeout: 20_000, interval: 10 })
    .toMatchObject({ status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  await cluster.ask('/api/v1/namespaces/default/secrets/trigger', { method: 'DELETE' });
  await expect
    .poll(() => stored(`${configMaps}/target`), { timeout: 20_000 })
    .toMatchObject({ data: { patched: 'yes' } });
  await cluster.ask(`${clusterPolicies}/mutates`, { method: 'DELETE' });
}, 60_000);

test('the policies of Kyverno are registered with their own webhook, which fails closed', async () => {
  const { webhooks } = (await stored(configurations)) as unknown as {
    readonly webhooks: readonly Readonly<Record<string, unknown>>[];
  };
  expect(webhooks.find(({ name }) => name === 'kyverno-policies.kubeadmit.dev')).toMatchObject({
    failurePolicy: 'Fail',
    rules: [
      { apiGroups: ['kyverno.io'], operations: ['CREATE', 'UPDATE'] },
      { apiGroups: ['policies.kyverno.io'], resources: ['*'] },
    ],
  });
});

interface Asked {
  readonly group: string;
  readonly resource: string;
  readonly object: object;
  readonly oldObject?: object;
}

async function answer({ group, resource, object, oldObject }: Asked): Promise<unknown> {
  const named = { group, version: 'v1', resource };
  const { kind } = object as { readonly kind: string };
  const request = {
    uid: 'u',
    kind: { group, version: 'v1', kind },
    resource: named,
    name: 'p',
    operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
    userInfo: { username: 'alice' },
    object,
    oldObject: oldObject ?? null,
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const { body } = await webhook.ask('/validate/fail', JSON.stringify(review));
  return body['response'];
}

test('an invalid ClusterPolicy is refused with the text of Kyverno', async () => {
  const object = classic('p', ['Pod'], { validate: {} });
  const asked = { group: 'kyverno.io', resource: 'clusterpolicies', object };
  expect(await answer(asked)).toMatchObject({
    allowed: false,
    status: { code: 403, message: expect.stringContaining('spec.rules[0]') },
  });
});

test('a valid ClusterPolicy is accepted with the warning that its kind is deprecated', async () => {
  const object = classic('p', ['Pod']);
  expect(await answer({ group: 'kyverno.io', resource: 'clusterpolicies', object })).toMatchObject({
    allowed: true,
    warnings: [expect.stringContaining('kyverno.io/v1 ClusterPolicy is deprecated')],
  });
});

test('a policy whose expression does not compile is refused', async () => {
  const object = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: {}, validations: [{ expression: 'object.' }] },
  };
  const asked = { group: 'policies.kyverno.io', resource: 'validatingpolicies', object };
  expect(await answer(asked)).toMatchObject({ allowed: false, status: { code: 403 } });
  expect((await stored(`${validatingPolicies}/p`))['code']).toBe(404);
});
