import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  type ConfigMap,
  change,
  cluster,
  configMap,
  configMaps,
  createNamespace,
  createPolicy,
  data,
  dataOf,
  isGone,
  namespaces,
  own,
  rule,
  useGeneration,
  webhook,
} from './harness/generation.ts';

useGeneration();

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
