import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type ApiObject, startCluster, type TestCluster } from './cluster.ts';
import { backgroundDefinitions, kyvernoDefinitions } from './definitions.ts';
import { startWebhook, type TestWebhook } from './webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const clusterPolicies = '/apis/kyverno.io/v1/clusterpolicies';
export const namespaces = '/api/v1/namespaces';

/** A cluster whose webhook generates objects. */
export let cluster: TestCluster;
export let webhook: TestWebhook;
let number = 0;
/** A name that no other test has. */
export let own = '';

/** Starts the cluster and the webhook for the tests of a file. */
export function useGeneration(): void {
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
}

/** Goes on with another name in the same test; returns the earlier one. */
export function renameOwn(): string {
  const earlier = own;
  own = `${own}-next`;
  return earlier;
}

export const configMaps = (namespace: string): string => `${namespaces}/${namespace}/configmaps`;

export async function createNamespace(
  name: string,
  labels: object = { for: own },
): Promise<ApiObject> {
  return cluster.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
}

export async function change(path: string, patch: object): Promise<void> {
  const contentType = 'application/merge-patch+json';
  const answer = await cluster.ask(path, {
    method: 'PATCH',
    body: JSON.stringify(patch),
    contentType,
  });
  expect(answer).not.toHaveProperty('code');
}

export async function remove(path: string): Promise<void> {
  expect(await cluster.ask(path, { method: 'DELETE' })).not.toHaveProperty('code');
}

export interface ConfigMap {
  readonly code?: number;
  readonly data?: object;
  readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly uid: string };
}

export async function configMap(namespace: string, name: string): Promise<ConfigMap> {
  return (await cluster.ask(`${configMaps(namespace)}/${name}`)) as unknown as ConfigMap;
}

export const dataOf = async (namespace: string, name: string): Promise<unknown> =>
  (await configMap(namespace, name)).data;

export async function isGone(namespace: string, name: string): Promise<void> {
  await expect.poll(async () => (await configMap(namespace, name)).code).toBe(404);
}

/** A rule for namespaces with the label of the test. */
export function rule(generate: object, parts: object = {}): object {
  return {
    name: 'rule',
    match: {
      any: [{ resources: { kinds: ['Namespace'], selector: { matchLabels: { for: own } } } }],
    },
    generate: { apiVersion: 'v1', kind: 'ConfigMap', ...generate },
    ...parts,
  };
}

export const inTrigger = { name: 'made', namespace: '{{request.object.metadata.name}}' };
export const data = (value: string): object => ({ kind: 'ConfigMap', data: { value } });

export async function createPolicy(rules: readonly object[], spec: object = {}): Promise<void> {
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: own },
    spec: { ...spec, rules },
  };
  expect(await cluster.create(clusterPolicies, policy)).not.toHaveProperty('code');
}
