import process from 'node:process';
import { createFolder, removeFolder } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { kyvernoDefinitions } from './harness/definitions.ts';
import { validatingPolicy } from './harness/policies.ts';
import { type StartedProcess, startProcess } from './harness/process.ts';

// The number of triggers; half of them change while the controller is killed.
const count = Number(process.env['BACKGROUND_TRIGGERS'] ?? 60);
const timeout = 300_000;
const namespaces = '/api/v1/namespaces';
const triggers = `${namespaces}/triggers/configmaps`;
// Each namespace also has a ConfigMap of the cluster.
const made = `${namespaces}/made/configmaps?labelSelector=generate.kyverno.io/policy-name`;

const policy = {
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'copies' },
  spec: {
    rules: [
      {
        name: 'copy',
        match: {
          any: [
            {
              resources: {
                kinds: ['ConfigMap'],
                namespaces: ['triggers'],
                selector: { matchLabels: { copied: 'yes' } },
              },
            },
          ],
        },
        generate: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: '{{request.object.metadata.name}}',
          namespace: 'made',
          synchronize: true,
          data: { kind: 'ConfigMap', data: { value: '{{request.object.data.value}}' } },
        },
      },
    ],
  },
};

let cluster: TestCluster;
let folder: string;
let controller: StartedProcess;

const start = (): Promise<StartedProcess> =>
  startProcess(folder, ['--kubeconfig', cluster.kubeconfig, '--background']);

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of kyvernoDefinitions()) {
    await cluster.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object);
  }
  for (const name of ['triggers', 'made']) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await cluster.create(namespaces, object);
  }
  await cluster.create('/apis/kyverno.io/v1/clusterpolicies', policy);
  folder = createFolder({ 'policy.yaml': validatingPolicy('all', 'true') });
  controller = await start();
});

afterAll(async () => {
  controller.child.kill('SIGTERM');
  await controller.ended;
  await cluster.stop();
  removeFolder(folder);
});

interface Listed {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data: { readonly value: string };
}

async function list(path: string): Promise<readonly Listed[]> {
  const { items } = (await cluster.ask(path)) as unknown as { readonly items: readonly Listed[] };
  return items;
}

/** The copies that exist, as `name value uid-of-trigger`. */
async function copies(): Promise<readonly string[]> {
  const objects = await list(made);
  return objects
    .map(({ metadata: { name, labels = {} }, data }) =>
      [name, data.value, labels['generate.kyverno.io/trigger-uid']].join(' '),
    )
    .sort();
}

/** The copies that the present triggers want. */
async function wanted(): Promise<readonly string[]> {
  const objects = await list(triggers);
  return objects
    .filter(({ metadata }) => metadata.labels?.['copied'] === 'yes')
    .map(({ metadata: { name, uid }, data }) => [name, data.value, uid].join(' '))
    .sort();
}

async function untilCopied(share: number): Promise<void> {
  const isReached = async (): Promise<boolean> => (await list(made)).length >= count * share;
  await expect.poll(isReached, { timeout, interval: 20 }).toBe(true);
}

async function killAndStart(): Promise<void> {
  controller.child.kill('SIGKILL');
  await controller.ended;
  controller = await start();
}

const merge = 'application/merge-patch+json';

/** Changes, unlabels, deletes or replaces every second trigger. */
async function changeHalf(): Promise<void> {
  for (let at = 0; at < count; at += 2) await change(at);
}

async function change(at: number): Promise<void> {
  const path = `${triggers}/trigger-${at}`;
  const patch = (body: object): Promise<unknown> =>
    cluster.ask(path, { method: 'PATCH', body: JSON.stringify(body), contentType: merge });
  const action = (at / 2) % 4;
  if (action === 0) await patch({ data: { value: `changed-${at}` } });
  else if (action === 1) await patch({ metadata: { labels: { copied: 'no' } } });
  else await cluster.ask(path, { method: 'DELETE' });
  if (action === 3) await createTrigger(at, `again-${at}`);
}

async function createTrigger(at: number, value: string): Promise<void> {
  await cluster.create(triggers, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `trigger-${at}`, labels: { copied: 'yes' } },
    data: { value },
  });
}

test('a controller that is killed leaves exactly the wanted objects to its successor', async () => {
  for (let at = 0; at < count; at++) await createTrigger(at, `value-${at}`);
  await untilCopied(0.3);
  await killAndStart();
  await untilCopied(0.6);
  const changes = changeHalf();
  await killAndStart();
  await changes;
  const present = await wanted();
  await expect.poll(copies, { timeout, interval: 200 }).toEqual(present);
  expect(present.length).toBeGreaterThan(count / 2);
}, 600_000);
