import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { backgroundDefinitions, kyvernoDefinitions } from './harness/definitions.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clusterPolicies = '/apis/kyverno.io/v1/clusterpolicies';
const generatingPolicies = '/apis/policies.kyverno.io/v1/generatingpolicies';
const namespaces = '/api/v1/namespaces';

let cluster: TestCluster;
let webhook: TestWebhook;
let number = 0;
/** A name that no other test has. */
let own = '';

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of [...kyvernoDefinitions(), ...backgroundDefinitions()]) {
    await cluster.create(definitions, object);
  }
  webhook = await startWebhook({}, [
    ...['--kubeconfig', cluster.kubeconfig, '--background', '--exclude-namespace', 'excluded'],
  ]);
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

beforeEach(() => {
  number++;
  own = `case-${number}`;
});

const configMaps = (namespace: string): string => `${namespaces}/${namespace}/configmaps`;

async function createNamespace(name: string, labels: object = { for: own }): Promise<ApiObject> {
  return cluster.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
}

async function change(path: string, patch: object): Promise<void> {
  const contentType = 'application/merge-patch+json';
  const answer = await cluster.ask(path, {
    method: 'PATCH',
    body: JSON.stringify(patch),
    contentType,
  });
  expect(answer).not.toHaveProperty('code');
}

async function remove(path: string): Promise<void> {
  expect(await cluster.ask(path, { method: 'DELETE' })).not.toHaveProperty('code');
}

interface ConfigMap {
  readonly code?: number;
  readonly data?: object;
  readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly uid: string };
}

async function configMap(namespace: string, name: string): Promise<ConfigMap> {
  return (await cluster.ask(`${configMaps(namespace)}/${name}`)) as unknown as ConfigMap;
}

const dataOf = async (namespace: string, name: string): Promise<unknown> =>
  (await configMap(namespace, name)).data;

async function isGone(namespace: string, name: string): Promise<void> {
  await expect.poll(async () => (await configMap(namespace, name)).code).toBe(404);
}

/** A rule for namespaces with the label of the test. */
function rule(generate: object, parts: object = {}): object {
  return {
    name: 'rule',
    match: {
      any: [{ resources: { kinds: ['Namespace'], selector: { matchLabels: { for: own } } } }],
    },
    generate: { apiVersion: 'v1', kind: 'ConfigMap', ...generate },
    ...parts,
  };
}

const inTrigger = { name: 'made', namespace: '{{request.object.metadata.name}}' };
const data = (value: string): object => ({ kind: 'ConfigMap', data: { value } });

async function createPolicy(rules: readonly object[], spec: object = {}): Promise<void> {
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: own },
    spec: { ...spec, rules },
  };
  expect(await cluster.create(clusterPolicies, policy)).not.toHaveProperty('code');
}

test('generates an object with the labels of its policy, rule and trigger', async () => {
  await createPolicy([rule({ ...inTrigger, synchronize: true, data: data('a') })]);
  const { metadata } = await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made'), { timeout: 10_000 }).toEqual({ value: 'a' });
  const { labels } = (await configMap(own, 'made')).metadata;
  expect(labels).toEqual({
    'app.kubernetes.io/managed-by': 'kyverno',
    'generate.kyverno.io/policy-name': own,
    'generate.kyverno.io/policy-namespace': '',
    'generate.kyverno.io/rule-name': 'rule',
    'generate.kyverno.io/trigger-group': '',
    'generate.kyverno.io/trigger-kind': 'Namespace',
    'generate.kyverno.io/trigger-namespace': '',
    'generate.kyverno.io/trigger-uid': (metadata as { readonly uid: string }).uid,
    'generate.kyverno.io/trigger-version': 'v1',
    'kubeadmit.dev/deleted-with-policy': 'true',
  });
});

test('restores a synchronized object that was changed or deleted', async () => {
  await createPolicy([rule({ ...inTrigger, synchronize: true, data: data('a') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  const { uid } = (await configMap(own, 'made')).metadata;
  await change(`${configMaps(own)}/made`, { data: { value: 'changed', more: 'x' } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await remove(`${configMaps(own)}/made`);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  expect((await configMap(own, 'made')).metadata.uid).not.toBe(uid);
});

test('leaves an object without synchronize as users change it', async () => {
  await createPolicy([rule({ ...inTrigger, data: data('a') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await change(`${configMaps(own)}/made`, { data: { value: 'changed' } });
  await change(`${namespaces}/${own}`, { metadata: { labels: { other: 'x' } } });
  await createNamespace(`${own}-later`);
  await expect.poll(() => dataOf(`${own}-later`, 'made')).toEqual({ value: 'a' });
  expect(await dataOf(own, 'made')).toEqual({ value: 'changed' });
  await remove(`${clusterPolicies}/${own}`);
  await createPolicy([rule({ ...inTrigger, name: 'second', data: data('b') })]);
  await createNamespace(`${own}-last`);
  await expect.poll(() => dataOf(`${own}-last`, 'second')).toEqual({ value: 'b' });
  expect(await dataOf(own, 'made')).toEqual({ value: 'changed' });
});

test('leaves an object without synchronize deleted until its trigger changes', async () => {
  await createPolicy([rule({ ...inTrigger, data: data('a') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await remove(`${configMaps(own)}/made`);
  // Another policy makes everything be compared.
  const first = own;
  own = `${own}-next`;
  await createPolicy([rule({ ...inTrigger, data: data('b') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  expect(await configMap(first, 'made')).toMatchObject({ code: 404 });
  await change(`${namespaces}/${first}`, { metadata: { labels: { other: 'x' } } });
  await expect.poll(() => dataOf(first, 'made')).toEqual({ value: 'a' });
});

test('follows the rule of a policy', async () => {
  const of = (value: string): object =>
    rule({ ...inTrigger, synchronize: true, data: data(value) });
  await createPolicy([of('a')]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await change(`${clusterPolicies}/${own}`, { spec: { rules: [of('b')] } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
});

test('deletes a synchronized object when its trigger no longer matches', async () => {
  await createPolicy([rule({ ...inTrigger, synchronize: true, data: data('a') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await change(`${namespaces}/${own}`, { metadata: { labels: { for: null } } });
  await isGone(own, 'made');
});

test('deletes a synchronized object when its trigger is deleted', async () => {
  await createNamespace(own, {});
  const match = { any: [{ resources: { kinds: ['Secret'], names: [own] } }] };
  const target = { name: 'made', namespace: own, data: data('a') };
  await createPolicy([rule({ ...target, synchronize: true }, { match })]);
  const secrets = `${namespaces}/${own}/secrets`;
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: own } };
  expect(await cluster.create(secrets, secret)).not.toHaveProperty('code');
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await remove(`${secrets}/${own}`);
  await isGone(own, 'made');
});

test.each([
  { title: 'deletes synchronized objects with their policy', orphan: false },
  { title: 'keeps objects that orphanDownstreamOnPolicyDelete keeps', orphan: true },
])('$title', async ({ orphan }) => {
  const generate = { ...inTrigger, synchronize: true, orphanDownstreamOnPolicyDelete: orphan };
  await createPolicy([rule({ ...generate, data: data('a') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await remove(`${clusterPolicies}/${own}`);
  if (!orphan) {
    await isGone(own, 'made');
    return;
  }
  // The deletion is known when a later policy acts.
  own = `${own}-next`;
  await createPolicy([rule({ ...inTrigger, data: data('b') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  expect(await dataOf(own.replace('-next', ''), 'made')).toEqual({ value: 'a' });
});

test.each([
  { title: 'generates for older triggers with generateExisting', generateExisting: true },
  { title: 'ignores older triggers without generateExisting', generateExisting: false },
])('$title', async ({ generateExisting }) => {
  await createNamespace(own);
  // Times are in seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await createPolicy([rule({ ...inTrigger, generateExisting, data: data('a') })]);
  if (generateExisting) {
    await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
    return;
  }
  await createNamespace(`${own}-later`);
  await expect.poll(() => dataOf(`${own}-later`, 'made')).toEqual({ value: 'a' });
  expect(await configMap(own, 'made')).toMatchObject({ code: 404 });
  await change(`${namespaces}/${own}`, { metadata: { labels: { other: 'x' } } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
});

test('a clone follows its source', async () => {
  await createNamespace(`${own}-source`, {});
  const path = configMaps(`${own}-source`);
  const source = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'source' } };
  const clone = { name: 'source', namespace: `${own}-source` };
  await createPolicy([rule({ ...inTrigger, synchronize: true, clone })]);
  await createNamespace(own);
  await cluster.create(path, { ...source, data: { value: 'a' } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await change(`${path}/source`, { data: { value: 'b' } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  await remove(`${path}/source`);
  await isGone(own, 'made');
});

test('the clones of a cloneList are those of the present sources', async () => {
  await createNamespace(`${own}-source`, {});
  const path = configMaps(`${own}-source`);
  const create = (name: string): Promise<ApiObject> =>
    cluster.create(path, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { cloned: 'yes' } },
      data: { name },
    });
  await create('one');
  const cloneList = {
    namespace: `${own}-source`,
    kinds: ['v1/ConfigMap'],
    selector: { matchLabels: { cloned: 'yes' } },
  };
  const { namespace } = inTrigger;
  const generate = { namespace, synchronize: true, cloneList };
  const { name, match } = rule({}) as { readonly name: string; readonly match: object };
  await createPolicy([{ name, match, generate }]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'one')).toEqual({ name: 'one' });
  await create('two');
  await expect.poll(() => dataOf(own, 'two')).toEqual({ name: 'two' });
  await remove(`${path}/one`);
  await isGone(own, 'one');
  expect(await dataOf(own, 'two')).toEqual({ name: 'two' });
});

test('foreach generates exactly one object for each present element', async () => {
  const foreach = [
    {
      list: "request.object.metadata.annotations.names | split(@, ',')",
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: '{{element}}',
      namespace: inTrigger.namespace,
      data: data('{{element}}'),
    },
  ];
  const { name, match } = rule({}) as { readonly name: string; readonly match: object };
  await createPolicy([{ name, match, generate: { synchronize: true, foreach } }]);
  await cluster.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: own, labels: { for: own }, annotations: { names: 'a,b' } },
  });
  await expect.poll(() => dataOf(own, 'b')).toEqual({ value: 'b' });
  await change(`${namespaces}/${own}`, { metadata: { annotations: { names: 'b,c' } } });
  await expect.poll(() => dataOf(own, 'c')).toEqual({ value: 'c' });
  await isGone(own, 'a');
  expect(await dataOf(own, 'b')).toEqual({ value: 'b' });
});

test('a GeneratingPolicy generates, synchronizes and deletes its objects', async () => {
  const expression = `generator.Apply(object.metadata.name, [{
    "apiVersion": dyn("v1"), "kind": dyn("ConfigMap"),
    "metadata": dyn({"name": "made", "namespace": object.metadata.name}),
    "data": dyn({"value": object.metadata.labels["value"]})}])`;
  const policy = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'GeneratingPolicy',
    metadata: { name: own },
    spec: {
      evaluation: { synchronize: { enabled: true } },
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['namespaces'],
          },
        ],
        objectSelector: { matchLabels: { for: own } },
      },
      generate: [{ expression }],
    },
  };
  expect(await cluster.create(generatingPolicies, policy)).not.toHaveProperty('code');
  await createNamespace(own, { for: own, value: 'a' });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'a' });
  await change(`${namespaces}/${own}`, { metadata: { labels: { value: 'b' } } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  await change(`${configMaps(own)}/made`, { data: { value: 'changed' } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  await remove(`${generatingPolicies}/${own}`);
  await isGone(own, 'made');
});

test('reports two triggers that want one object, and leaves it to its owner', async () => {
  await createNamespace(own, {});
  const target = { name: 'shared', namespace: own, synchronize: true };
  await createPolicy([rule({ ...target, data: data('{{request.object.metadata.name}}') })]);
  await createNamespace(`${own}-one`);
  await expect.poll(() => dataOf(own, 'shared')).toEqual({ value: `${own}-one` });
  await createNamespace(`${own}-two`);
  const problems = (): unknown =>
    webhook.log.find(({ problem }) => String(problem).includes(`${own}-two`));
  await expect.poll(problems).toMatchObject({ message: 'background work failed' });
  expect(await dataOf(own, 'shared')).toEqual({ value: `${own}-one` });
  await change(`${namespaces}/${own}-one`, { metadata: { labels: { for: null } } });
  await expect.poll(() => dataOf(own, 'shared')).toEqual({ value: `${own}-two` });
});

test('creates no object in an excluded namespace, and reports it', async () => {
  await createNamespace('excluded');
  await createPolicy([rule({ name: own, namespace: 'excluded', data: data('a') })]);
  await createNamespace(own);
  const problem = (): unknown =>
    webhook.log.find(({ problem: text }) => String(text).includes(`excluded/${own} is in`));
  await expect.poll(problem).toMatchObject({ policy: `ClusterPolicy/${own}` });
  expect(await configMap('excluded', own)).toMatchObject({ code: 404 });
});

interface ExcludedCase {
  readonly title: string;
  readonly trigger: string;
  readonly target: string;
}

const excludedCases: readonly ExcludedCase[] = [
  { title: 'of a trigger in an excluded namespace', trigger: 'excluded', target: 'open' },
  { title: 'in an excluded namespace', trigger: '', target: 'excluded' },
];

test.each(excludedCases)(
  'does not delete a generated object $title',
  async ({ trigger, target }) => {
    for (const name of ['excluded', 'open']) await createNamespace(name);
    const kinds = ['ConfigMap'];
    const match = { any: [{ resources: { kinds, selector: { matchLabels: { for: own } } } }] };
    const generate = { name: 'made', namespace: 'open', synchronize: true, data: data('a') };
    await createPolicy([rule(generate, { match })]);
    const createConfigMap = async (
      namespace: string,
      name: string,
      labels: object,
    ): Promise<string> => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } };
      const { uid } = (await cluster.create(configMaps(namespace), object))[
        'metadata'
      ] as ConfigMap['metadata'];
      return uid;
    };
    const createGenerated = (namespace: string, name: string, uid: string): Promise<string> =>
      createConfigMap(namespace, name, {
        'app.kubernetes.io/managed-by': 'kyverno',
        'generate.kyverno.io/policy-name': own,
        'generate.kyverno.io/rule-name': 'rule',
        'generate.kyverno.io/trigger-kind': 'ConfigMap',
        'generate.kyverno.io/trigger-uid': uid,
      });
    const uid = trigger === '' ? 'gone' : await createConfigMap(trigger, own, {});
    await createGenerated(target, `${own}-kept`, uid);
    await createGenerated('open', `${own}-obsolete`, 'also-gone');
    await isGone('open', `${own}-obsolete`);
    expect((await configMap(target, `${own}-kept`)).code).toBeUndefined();
  },
);

/** A rule that generates a ConfigMap with a longer name for each ConfigMap of the test. */
function chainRule(parts: object = {}): object {
  const kinds = ['ConfigMap'];
  const selector = { matchLabels: { chain: own } };
  const metadata = { labels: { chain: own } };
  return {
    name: 'chain',
    match: { any: [{ resources: { kinds, selector } }] },
    generate: {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: own },
      name: '{{request.object.metadata.name}}x',
      data: { kind: 'ConfigMap', metadata, data: { value: 'a' } },
    },
    ...parts,
  };
}

async function createLink(labels: object = {}): Promise<void> {
  await createNamespace(own, {});
  const metadata = { name: 'a', namespace: own, labels: { chain: own, ...labels } };
  await cluster.create(configMaps(own), { apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

async function links(): Promise<number> {
  const { items } = await cluster.ask(`${configMaps(own)}?labelSelector=chain%3D${own}`);
  return (items as readonly unknown[]).length;
}

describe('a rule whose objects are its own triggers', () => {
  test('does not generate objects because of generated ones', async () => {
    await createPolicy([chainRule()]);
    await createLink();
    await expect.poll(() => dataOf(own, 'ax')).toEqual({ value: 'a' });
    await sleep(2_000);
    expect(await links()).toBe(2);
  });

  test('ends after ten changes if it asks for them', async () => {
    await createPolicy([chainRule({ skipBackgroundRequests: false })]);
    await createLink();
    await expect.poll(links, { timeout: 20_000 }).toBe(11);
    await sleep(2_000);
    expect(await links()).toBe(11);
  });

  test('acts for objects to which a user gave the labels of generated ones', async () => {
    await createPolicy([chainRule()]);
    await createLink({
      'app.kubernetes.io/managed-by': 'kyverno',
      'generate.kyverno.io/policy-name': own,
      'generate.kyverno.io/policy-namespace': '',
      'generate.kyverno.io/rule-name': 'chain',
      'generate.kyverno.io/trigger-uid': 'none',
      'generate.kyverno.io/trigger-kind': 'Secret',
    });
    await expect.poll(() => dataOf(own, 'ax')).toEqual({ value: 'a' });
  });
});
