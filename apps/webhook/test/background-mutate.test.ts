import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { backgroundDefinitions, kyvernoDefinitions } from './harness/definitions.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clusterPolicies = '/apis/kyverno.io/v1/clusterpolicies';
const mutatingPolicies = '/apis/policies.kyverno.io/v1/mutatingpolicies';
const namespaces = '/api/v1/namespaces';

let cluster: TestCluster;
let webhook: TestWebhook;
let number = 0;
let markers = 0;
/** A name that no other test has; the label `for` of its triggers. */
let own = '';

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of [...kyvernoDefinitions(), ...backgroundDefinitions()]) {
    await cluster.create(definitions, object);
  }
  for (const name of ['shop', 'other', 'excluded']) {
    const metadata = { name, labels: { place: name } };
    await cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
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

const pathOf = (namespace: string, name: string): string =>
  `${namespaces}/${namespace}/configmaps/${name}`;

interface ConfigMap {
  readonly data?: Readonly<Record<string, string>>;
  readonly metadata: { readonly resourceVersion: string };
}

async function create(
  namespace: string,
  name: string,
  parts: { readonly labels?: object; readonly data?: object } = {},
): Promise<void> {
  const { labels = {}, data = {} } = parts;
  const metadata = { name, labels };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const answer = await cluster.create(`${namespaces}/${namespace}/configmaps`, object);
  expect(answer).not.toHaveProperty('code');
}

const createTrigger = (namespace = 'shop', data: object = { value: 'a' }): Promise<void> =>
  create(namespace, `${own}-trigger`, { labels: { for: own }, data });

async function change(path: string, patch: object): Promise<void> {
  const answer = await cluster.ask(path, {
    method: 'PATCH',
    body: JSON.stringify(patch),
    contentType: 'application/merge-patch+json',
  });
  expect(answer).not.toHaveProperty('code');
}

const remove = (path: string): Promise<unknown> => cluster.ask(path, { method: 'DELETE' });

async function read(namespace: string, name: string): Promise<ConfigMap> {
  return (await cluster.ask(pathOf(namespace, name))) as unknown as ConfigMap;
}

const dataOf = async (name: string, namespace = 'shop'): Promise<ConfigMap['data']> =>
  (await read(namespace, name)).data;

const target = (parts: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'shop',
  name: `${own}-target`,
  ...parts,
});

/** A rule for triggers with the label of the test. */
function rule(mutate: object, parts: object = {}, resources: object = {}): object {
  const selector = { matchLabels: { for: own } };
  return {
    name: 'rule',
    match: { any: [{ resources: { kinds: ['ConfigMap'], selector, ...resources } }] },
    mutate: {
      targets: [target()],
      patchStrategicMerge: { data: { from: '{{request.object.data.value}}' } },
      ...mutate,
    },
    ...parts,
  };
}

const problem = (text: string): unknown =>
  webhook.log.find((entry) => String(entry['problem']).includes(text));

async function createPolicy(
  rules: readonly object[],
  spec: object = {},
  namespace = '',
): Promise<void> {
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: namespace === '' ? 'ClusterPolicy' : 'Policy',
    metadata: { name: own, ...(namespace === '' ? {} : { namespace }) },
    spec: { ...spec, rules },
  };
  const path =
    namespace === '' ? clusterPolicies : `/apis/kyverno.io/v1/namespaces/${namespace}/policies`;
  expect(await cluster.create(path, policy)).not.toHaveProperty('code');
}

/** Waits until everything before was handled: a later policy of the same kind has acted. */
async function settle(): Promise<void> {
  const before = own;
  markers++;
  own = `marker-${markers}`;
  await create('other', `${own}-target`);
  await createPolicy([rule({ targets: [target({ namespace: 'other' })] })]);
  await createTrigger('other');
  await expect.poll(() => dataOf(`${own}-target`, 'other')).toEqual({ from: 'a' });
  own = before;
}

describe('a rule with targets', () => {
  test('mutates an existing object when its trigger is created, and again when it changes', async () => {
    await create('shop', `${own}-target`);
    await createPolicy([rule({})]);
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'a' });
    await change(pathOf('shop', `${own}-trigger`), { data: { value: 'b' } });
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'b' });
  });

  test('leaves an object as users change it until the trigger changes again', async () => {
    await create('shop', `${own}-target`);
    await createPolicy([rule({})]);
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'a' });
    await change(pathOf('shop', `${own}-target`), { data: { from: 'user' } });
    await settle();
    expect(await dataOf(`${own}-target`)).toEqual({ from: 'user' });
  });

  test('sees the object before an update', async () => {
    await create('shop', `${own}-target`);
    const patchStrategicMerge = { data: { before: '{{request.oldObject.data.value}}' } };
    const preconditions = [{ key: '{{request.operation}}', operator: 'Equals', value: 'UPDATE' }];
    await createPolicy([rule({ patchStrategicMerge }, { preconditions })]);
    await createTrigger();
    await settle();
    expect(await dataOf(`${own}-target`)).toBeUndefined();
    await change(pathOf('shop', `${own}-trigger`), { data: { value: 'b' } });
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ before: 'a' });
  });

  test.each([
    { title: 'acts on a deletion that it names', operations: ['DELETE'], isActing: true },
    { title: 'ignores a deletion that it does not name', operations: undefined, isActing: false },
  ])('$title', async ({ operations, isActing }) => {
    await create('shop', `${own}-target`, { data: { from: 'x' } });
    await createTrigger();
    const resources = operations === undefined ? {} : { operations };
    // Times are in seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await createPolicy([rule({}, {}, resources)]);
    await settle();
    await remove(pathOf('shop', `${own}-trigger`));
    if (isActing) await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'a' });
    else await settle();
    expect(await dataOf(`${own}-target`)).toEqual({ from: isActing ? 'a' : 'x' });
  });

  test('selects targets by labels, wildcards and conditions of each target', async () => {
    const labels = { team: own };
    await create('shop', `${own}-one`, { labels, data: { open: 'yes' } });
    await create('other', `${own}-two`, { labels, data: { open: 'yes' } });
    await create('other', `${own}-closed`, { labels, data: { open: 'no' } });
    await create('other', `${own}-unlabelled`, { data: { open: 'yes' } });
    const selector = { matchLabels: labels };
    const preconditions = [{ key: '{{target.data.open}}', operator: 'Equals', value: 'yes' }];
    const targets = [target({ namespace: '*', name: `${own}-*`, selector, preconditions })];
    await createPolicy([rule({ targets })]);
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-one`)).toEqual({ open: 'yes', from: 'a' });
    await expect.poll(() => dataOf(`${own}-two`, 'other')).toEqual({ open: 'yes', from: 'a' });
    expect(await dataOf(`${own}-closed`, 'other')).toEqual({ open: 'no' });
    expect(await dataOf(`${own}-unlabelled`, 'other')).toEqual({ open: 'yes' });
  });

  test('reads variables, context and the target in its patch', async () => {
    await create('shop', `${own}-target`, { data: { count: 'x' } });
    await create('shop', `${own}-settings`, { data: { suffix: '!' } });
    const context = [
      { name: 'settings', configMap: { name: `${own}-settings`, namespace: 'shop' } },
    ];
    const value = '{{target.data.count}}{{settings.data.suffix}}';
    const name = '{{request.object.data.value}}';
    const patchStrategicMerge = { data: { value } };
    await createPolicy([rule({ targets: [target({ name })], patchStrategicMerge }, { context })]);
    await createTrigger('shop', { value: `${own}-target` });
    await expect
      .poll(() => dataOf(`${own}-target`), { timeout: 10_000 })
      .toEqual({ count: 'x', value: 'x!' });
  });

  test('mutates a subresource', async () => {
    const deployments = '/apis/apps/v1/namespaces/shop/deployments';
    const labels = { app: own };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web' }] },
    };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: own },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    };
    expect(await cluster.create(deployments, deployment)).not.toHaveProperty('code');
    const of = { apiVersion: 'apps/v1', kind: 'Deployment/scale', namespace: 'shop', name: own };
    const patchStrategicMerge = { spec: { replicas: 3 } };
    await createPolicy([rule({ targets: [of], patchStrategicMerge })]);
    await createTrigger();
    await expect
      .poll(() => cluster.ask(`${deployments}/${own}`))
      .toMatchObject({ spec: { replicas: 3 } });
  });

  test('mutates nothing in excluded namespaces, and because of nothing there', async () => {
    for (const namespace of ['shop', 'excluded']) await create(namespace, `${own}-target`);
    await createPolicy([rule({ targets: [target({ namespace: '*' })] })]);
    await createTrigger('excluded', { value: 'excluded' });
    await settle();
    expect(await dataOf(`${own}-target`)).toBeUndefined();
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'a' });
    expect(await dataOf(`${own}-target`, 'excluded')).toBeUndefined();
  });

  test('of a Policy acts in the namespace of the policy alone', async () => {
    for (const namespace of ['shop', 'other']) await create(namespace, `${own}-target`);
    const targets = [target({ namespace: undefined })];
    await createPolicy([rule({ targets })], {}, 'shop');
    await createTrigger('other', { value: 'other' });
    await settle();
    expect(await dataOf(`${own}-target`)).toBeUndefined();
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'a' });
    expect(await dataOf(`${own}-target`, 'other')).toBeUndefined();
  });

  test.each([
    { title: 'acts on older triggers with mutateExistingOnPolicyUpdate', isOnUpdate: true },
    { title: 'ignores older triggers without mutateExistingOnPolicyUpdate', isOnUpdate: false },
  ])('$title', async ({ isOnUpdate }) => {
    await create('shop', `${own}-target`);
    await createTrigger();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await createPolicy([rule({ mutateExistingOnPolicyUpdate: isOnUpdate })]);
    if (!isOnUpdate) {
      await settle();
      expect(await dataOf(`${own}-target`)).toBeUndefined();
      return;
    }
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'a' });
    const changed = rule({
      mutateExistingOnPolicyUpdate: true,
      patchStrategicMerge: { data: { from: 'changed' } },
    });
    await change(`${clusterPolicies}/${own}`, { spec: { rules: [changed] } });
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: 'changed' });
  });

  test('writes no other object, whatever a patch does to the metadata', async () => {
    await create('other', `${own}-victim`, { data: { secure: 'yes' } });
    await create('shop', `${own}-target`, { data: { secure: 'no' } });
    const patchesJson6902 = JSON.stringify([
      { op: 'replace', path: '/metadata/namespace', value: 'other' },
      { op: 'replace', path: '/metadata/name', value: `${own}-victim` },
      { op: 'remove', path: '/metadata/resourceVersion' },
      { op: 'remove', path: '/metadata/uid' },
    ]);
    await createPolicy([rule({ patchesJson6902, patchStrategicMerge: undefined })], {}, 'shop');
    await createTrigger();
    await settle();
    expect(await dataOf(`${own}-victim`, 'other')).toEqual({ secure: 'yes' });
    expect(problem('the patch changes the identity of the object')).toBeDefined();
  });

  test('generates nothing outside of its namespace, whatever kind the content has', async () => {
    const generate = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', name: own, namespace: 'shop', synchronize: true },
      data: { kind: 'Namespace' },
    };
    await createPolicy([rule({}, { mutate: undefined, generate })], {}, 'shop');
    await createTrigger();
    await expect
      .poll(() => problem('a policy of the namespace shop cannot generate'), { timeout: 10_000 })
      .toBeDefined();
    expect(await cluster.ask(`${namespaces}/${own}`)).toMatchObject({ code: 404 });
  });

  test('does not write an object that is as wanted', async () => {
    await create('shop', `${own}-target`, { data: { from: 'a' } });
    const { resourceVersion } = (await read('shop', `${own}-target`)).metadata;
    await createPolicy([rule({})]);
    await createTrigger();
    await settle();
    expect((await read('shop', `${own}-target`)).metadata.resourceVersion).toBe(resourceVersion);
  });

  test('ignores changes of background work unless a rule asks for them', async () => {
    for (const name of ['target', 'next', 'asked']) await create('shop', `${own}-${name}`);
    await change(pathOf('shop', `${own}-target`), { metadata: { labels: { chain: own } } });
    const selector = { matchLabels: { chain: own } };
    const patchStrategicMerge = { data: { from: '{{request.object.data.from}}' } };
    const next = (name: string, parts: object = {}): object =>
      rule(
        { targets: [target({ name: `${own}-${name}` })], patchStrategicMerge },
        { name, ...parts },
        { selector },
      );
    await createPolicy([rule({}), next('next'), next('asked', { skipBackgroundRequests: false })]);
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-asked`)).toEqual({ from: 'a' });
    expect(await dataOf(`${own}-next`)).toBeUndefined();
  });

  test('stops rules that trigger each other for ever, and reports them', async () => {
    const skipBackgroundRequests = false;
    const names = ['left', 'right'];
    for (const name of names) {
      const labels = { name: `${own}-${name}` };
      await create('shop', `${own}-${name}`, { labels, data: { value: 'x' } });
    }
    const grow = (from: string, to: string): object =>
      rule(
        {
          targets: [target({ name: `${own}-${to}` })],
          patchStrategicMerge: { data: { value: '{{request.object.data.value}}x' } },
        },
        { name: from, skipBackgroundRequests },
        { selector: { matchLabels: { name: `${own}-${from}` } } },
      );
    await createPolicy([grow('left', 'right'), grow('right', 'left')]);
    await settle();
    await change(pathOf('shop', `${own}-left`), { metadata: { labels: { again: 'yes' } } });
    await expect
      .poll(() => problem(`${own}-`), { timeout: 20_000 })
      .toMatchObject({ problem: expect.stringContaining('background changes in a row') });
    const { value } = (await dataOf(`${own}-left`)) ?? {};
    await settle();
    expect(await dataOf(`${own}-left`)).toEqual({ value });
  });

  test.each([
    {
      title: 'a target that does not exist',
      mutate: (): object => ({ targets: [target({ name: 'absent' })] }),
      message: 'ConfigMap "absent" not found',
    },
    {
      title: 'a kind that the cluster does not serve',
      mutate: (): object => ({ targets: [target({ apiVersion: 'a.example/v1', kind: 'Absent' })] }),
      message: 'the cluster does not serve a.example/v1/Absent',
    },
    {
      title: 'an object that the server rejects',
      mutate: (): object => ({ patchStrategicMerge: { data: { 'a b': 'x' } } }),
      message: 'is invalid',
    },
  ])('reports $title', async ({ mutate, message }) => {
    await create('shop', `${own}-target`);
    await createPolicy([rule(mutate())]);
    await createTrigger();
    await expect
      .poll(() => problem(`${own}-trigger`), { timeout: 10_000 })
      .toMatchObject({
        message: 'background work failed',
        policy: `ClusterPolicy/${own}`,
        problem: expect.stringContaining(message),
      });
  });

  test('reports triggers that leave no trace in the cluster', async () => {
    await createPolicy([rule({}, {}, { kinds: ['Pod/exec'] })]);
    await expect.poll(() => problem('Pod/exec')).toMatchObject({ policy: `ClusterPolicy/${own}` });
  });

  test('ignores a trigger that it excludes', async () => {
    await create('shop', `${own}-target`);
    const excluding = { any: [{ resources: { names: [`${own}-trigger`] } }] };
    await createPolicy([rule({}, { exclude: excluding })]);
    await createTrigger();
    await settle();
    expect(await dataOf(`${own}-target`)).toBeUndefined();
  });
});

describe('a MutatingPolicy with mutateExisting', () => {
  const configMaps = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  const operations = ['CREATE', 'UPDATE'];

  function policy(spec: object, kind = 'MutatingPolicy'): object {
    const expression = 'Object{data: {"from": object.metadata.name}}';
    return {
      apiVersion: 'policies.kyverno.io/v1',
      kind,
      metadata: { name: own },
      spec: {
        evaluation: { mutateExisting: { enabled: true } },
        matchConstraints: {
          resourceRules: [{ ...configMaps, operations }],
          objectSelector: { matchLabels: { for: own } },
        },
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
        ...spec,
      },
    };
  }

  test('mutates the objects of its constraints when it is created', async () => {
    await create('shop', `${own}-target`, { labels: { for: own } });
    await create('shop', `${own}-unlabelled`);
    expect(await cluster.create(mutatingPolicies, policy({}))).not.toHaveProperty('code');
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: `${own}-target` });
    expect(await dataOf(`${own}-unlabelled`)).toBeUndefined();
  });

  test('mutates the objects of targetMatchConstraints when a trigger changes', async () => {
    const expression = 'Object{data: {"from": request.name}}';
    const spec = {
      targetMatchConstraints: {
        resourceRules: [{ ...configMaps, operations }],
        objectSelector: { matchLabels: { target: own } },
      },
      targetMatchConditions: [{ name: 'shop', expression: 'object.metadata.namespace == "shop"' }],
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    };
    for (const namespace of ['shop', 'other', 'excluded']) {
      await create(namespace, `${own}-target`, { labels: { target: own } });
    }
    expect(await cluster.create(mutatingPolicies, policy(spec))).not.toHaveProperty('code');
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: `${own}-trigger` });
    for (const namespace of ['other', 'excluded']) {
      expect(await dataOf(`${own}-target`, namespace)).toBeUndefined();
    }
    expect(await dataOf(`${own}-trigger`)).toEqual({ value: 'a' });
  });

  test('mutates the objects that its expression names', async () => {
    const named = `resource.Get("v1", "configmaps", "shop", object.data.value)`;
    const spec = {
      // Targets that an expression names have to match the constraints, too.
      matchConstraints: { resourceRules: [{ ...configMaps, operations }] },
      matchConditions: [{ name: 'own', expression: `object.metadata.name == "${own}-trigger"` }],
      targetMatchConstraints: { expression: named },
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: '[JSONPatch{op: "add", path: "/data/from", value: request.name}]',
          },
        },
      ],
    };
    await create('shop', `${own}-target`, { data: { x: 'y' } });
    expect(await cluster.create(mutatingPolicies, policy(spec))).not.toHaveProperty('code');
    await createTrigger('shop', { value: `${own}-target` });
    await expect
      .poll(() => dataOf(`${own}-target`), { timeout: 10_000 })
      .toEqual({ x: 'y', from: `${own}-trigger` });
  });

  test('of a namespace mutates the objects there alone', async () => {
    for (const namespace of ['shop', 'other']) {
      await create(namespace, `${own}-target`, { labels: { for: own } });
    }
    const path = '/apis/policies.kyverno.io/v1/namespaces/shop/namespacedmutatingpolicies';
    const namespaced = policy({}, 'NamespacedMutatingPolicy');
    expect(await cluster.create(path, namespaced)).not.toHaveProperty('code');
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: `${own}-target` });
    expect(await dataOf(`${own}-target`, 'other')).toBeUndefined();
  });

  test('of a namespace mutates no object elsewhere that its expression names', async () => {
    for (const namespace of ['shop', 'other']) await create(namespace, `${own}-target`);
    const named = ['shop', 'other'].map(
      (namespace) =>
        `{"apiVersion": dyn("v1"), "kind": dyn("ConfigMap"), "metadata": dyn({"name": "${own}-target", "namespace": "${namespace}"})}`,
    );
    const spec = {
      matchConstraints: { resourceRules: [{ ...configMaps, operations }] },
      matchConditions: [{ name: 'own', expression: `object.metadata.name == "${own}-trigger"` }],
      // The second branch gives the expression the required type.
      targetMatchConstraints: {
        expression: `true ? {"items": dyn([${named.join(', ')}])} : resource.Get("v1", "configmaps", "x")`,
      },
    };
    const path = '/apis/policies.kyverno.io/v1/namespaces/shop/namespacedmutatingpolicies';
    const namespaced = policy(spec, 'NamespacedMutatingPolicy');
    expect(await cluster.create(path, namespaced)).not.toHaveProperty('code');
    await createTrigger();
    await expect.poll(() => dataOf(`${own}-target`)).toEqual({ from: `${own}-target` });
    await expect
      .poll(() => problem('a policy of the namespace shop cannot mutate'), { timeout: 10_000 })
      .toBeDefined();
    expect(await dataOf(`${own}-target`, 'other')).toBeUndefined();
  });

  test('does nothing if mutateExisting is not enabled', async () => {
    await create('shop', `${own}-target`, { labels: { for: own } });
    const created = await cluster.create(mutatingPolicies, policy({ evaluation: {} }));
    expect(created).not.toHaveProperty('code');
    await settle();
    expect(await dataOf(`${own}-target`)).toBeUndefined();
  });
});
