import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ApiObject } from './harness/cluster.ts';
import {
  change,
  cluster,
  clusterPolicies,
  configMaps,
  createNamespace,
  createPolicy,
  data,
  dataOf,
  inTrigger,
  isGone,
  namespaces,
  own,
  remove,
  rule,
  useGeneration,
} from './harness/generation.ts';

useGeneration();

const generatingPolicies = '/apis/policies.kyverno.io/v1/generatingpolicies';

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

const madeOfLabel = `generator.Apply(object.metadata.name, [{
  "apiVersion": dyn("v1"), "kind": dyn("ConfigMap"),
  "metadata": dyn({"name": "made", "namespace": object.metadata.name}),
  "data": dyn({"value": object.metadata.labels["value"]})}])`;

async function createGeneratingPolicy(
  settings: object,
  expression: string = madeOfLabel,
): Promise<void> {
  const policy = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'GeneratingPolicy',
    metadata: { name: own },
    spec: {
      ...settings,
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
}

test('a clone of a GeneratingPolicy is deleted with its source and returns with it', async () => {
  await createNamespace(`${own}-source`, {});
  const path = configMaps(`${own}-source`);
  const source = (value: string): object => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } },
    data: { value },
  });
  await cluster.create(path, source('a'));
  await createGeneratingPolicy(
    { evaluation: { synchronize: { enabled: true } } },
    `generator.Apply(object.metadata.name,
      [resource.Get("v1", "configmaps", "${own}-source", "made")])`,
  );
  await change(`${path}/made`, { data: { value: 'b' } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  await remove(`${path}/made`);
  await isGone(own, 'made');
  await cluster.create(path, source('c'));
  await expect.poll(() => dataOf(own, 'made'), { timeout: 10_000 }).toEqual({ value: 'c' });
});

test('an object stays deleted once its policy does not synchronize it any more', async () => {
  await createGeneratingPolicy({ evaluation: { synchronize: { enabled: true } } });
  // Times of changes are in seconds.
  await sleep(1_000);
  await change(`${generatingPolicies}/${own}`, {
    spec: { evaluation: { synchronize: { enabled: false } } },
  });
  // The change is known when a later policy acts.
  await createPolicy([rule({ ...inTrigger, name: 'second', data: data('a') })]);
  await createNamespace(`${own}-later`);
  await expect.poll(() => dataOf(`${own}-later`, 'second')).toEqual({ value: 'a' });
  await remove(`${configMaps(own)}/made`);
  await remove(`${clusterPolicies}/${own}`);
  await createPolicy([rule({ ...inTrigger, name: 'third', data: data('a') })]);
  await createNamespace(`${own}-last`);
  await expect.poll(() => dataOf(`${own}-last`, 'third')).toEqual({ value: 'a' });
  await isGone(own, 'made');
});

test('a GeneratingPolicy generates, synchronizes and deletes its objects', async () => {
  await createGeneratingPolicy({ evaluation: { synchronize: { enabled: true } } });
  await change(`${namespaces}/${own}`, { metadata: { labels: { value: 'b' } } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  await change(`${configMaps(own)}/made`, { data: { value: 'changed' } });
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  await remove(`${generatingPolicies}/${own}`);
  await isGone(own, 'made');
});

test.each([
  {
    title: 'a changed trigger replaces the objects of a GeneratingPolicy without synchronize',
    settings: {},
    expected: { value: 'b' },
  },
  {
    title: 'server-side apply leaves fields of others alone',
    settings: { useServerSideApply: true },
    expected: { value: 'b', more: 'x' },
  },
])('$title', async ({ settings, expected }) => {
  await createGeneratingPolicy(settings);
  await change(`${configMaps(own)}/made`, { data: { value: 'changed', more: 'x' } });
  // Another policy makes everything be compared.
  await createPolicy([rule({ ...inTrigger, name: 'second', data: data('a') })]);
  await createNamespace(`${own}-later`);
  await expect.poll(() => dataOf(`${own}-later`, 'second')).toEqual({ value: 'a' });
  expect(await dataOf(own, 'made')).toEqual({ value: 'changed', more: 'x' });
  await change(`${namespaces}/${own}`, { metadata: { labels: { value: 'b' } } });
  await expect.poll(() => dataOf(own, 'made')).toEqual(expected);
});
