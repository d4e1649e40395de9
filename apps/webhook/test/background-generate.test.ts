import { expect, test } from 'vitest';
import {
  change,
  cluster,
  clusterPolicies,
  configMap,
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
  renameOwn,
  rule,
  useGeneration,
} from './harness/generation.ts';

useGeneration();

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
  const first = renameOwn();
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
  const first = renameOwn();
  await createPolicy([rule({ ...inTrigger, data: data('b') })]);
  await createNamespace(own);
  await expect.poll(() => dataOf(own, 'made')).toEqual({ value: 'b' });
  expect(await dataOf(first, 'made')).toEqual({ value: 'a' });
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
