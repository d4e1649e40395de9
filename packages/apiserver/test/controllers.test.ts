import type { Ask } from '@kubeadmit/apiserver-tools';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiServer } from '../src/index.ts';
import { startLocalServer } from './local-server.ts';

let server: ApiServer;
let send: Ask;

beforeAll(async () => {
  const started = await startLocalServer({ controllers: true });
  server = started.server;
  send = started.ask;
});
afterAll(() => server.close());

type Json = { readonly [key: string]: Json } & readonly Json[] & string & number;

async function ask(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Json }> {
  const { status, text } = await send({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    as: 'admin',
  });
  return { status, body: JSON.parse(text) as Json };
}

const core = '/api/v1/namespaces';

function configMap(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
}

function ownedBy({ metadata }: Json, more: object = {}): object {
  const { name, uid } = metadata as Json;
  return { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more }] };
}

async function statusOf(path: string): Promise<number> {
  return (await ask('GET', path)).status;
}

test('creates the service account and certificate of each namespace', async () => {
  await ask('POST', core, { metadata: { name: 'fresh' } });
  await expect.poll(() => statusOf(`${core}/fresh/serviceaccounts/default`)).toBe(200);
  await expect.poll(() => statusOf(`${core}/fresh/configmaps/kube-root-ca.crt`)).toBe(200);
});

test('deletes a namespace with its content', async () => {
  await ask('POST', core, { metadata: { name: 'brief' } });
  await ask('POST', `${core}/brief/configmaps`, configMap('a'));
  const { body } = await ask('DELETE', `${core}/brief`);
  expect(body['status']?.['phase']).toBe('Terminating');
  await expect.poll(() => statusOf(`${core}/brief`)).toBe(404);
  expect(
    (await ask('GET', '/api/v1/configmaps?fieldSelector=metadata.namespace=brief')).body['items'],
  ).toEqual([]);
});

test('deletes namespaces although another one cannot be deleted', async () => {
  await ask('POST', core, { metadata: { name: 'stuck' } });
  await ask('POST', `${core}/stuck/configmaps`, configMap('a', { finalizers: ['example.com/f'] }));
  await ask('POST', core, { metadata: { name: 'quick' } });
  await ask('DELETE', `${core}/stuck`);
  await ask('DELETE', `${core}/quick`);
  await expect.poll(() => statusOf(`${core}/quick`)).toBe(404);
  expect(await statusOf(`${core}/stuck`)).toBe(200);
});

const storage = [
  [
    '/api/v1/namespaces/default/persistentvolumeclaims',
    'pvc',
    { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  ],
  [
    '/api/v1/persistentvolumes',
    'pv',
    { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } },
  ],
] as const;

test.each(storage)('deletes an unused object of %s', async (path, short, spec) => {
  const finalizers = [`kubernetes.io/${short}-protection`];
  const created = await ask('POST', path, { metadata: { name: 'unused', finalizers }, spec });
  expect(created).toMatchObject({ status: 201, body: { metadata: { finalizers } } });
  await ask('DELETE', `${path}/unused`);
  await expect.poll(() => statusOf(`${path}/unused`)).toBe(404);
});

test('keeps a deleted claim until no pod on a node mounts it', async () => {
  const [path, short, spec] = storage[0];
  const finalizers = [`kubernetes.io/${short}-protection`];
  await ask('POST', path, { metadata: { name: 'used', finalizers }, spec });
  const pods = `${core}/default/pods`;
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'used' } }];
  const containers = [{ name: 'app', image: 'app:1' }];
  const pod = { metadata: { name: 'mounts' }, spec: { nodeName: 'node', containers, volumes } };
  expect((await ask('POST', pods, pod)).status).toBe(201);
  await ask('DELETE', `${path}/used`);
  // The queue handles claims in turn, so the first one was looked at when the second one is gone.
  await ask('POST', path, { metadata: { name: 'later', finalizers }, spec });
  await ask('DELETE', `${path}/later`);
  await expect.poll(() => statusOf(`${path}/later`)).toBe(404);
  expect(await statusOf(`${path}/used`)).toBe(200);
  await ask('DELETE', `${pods}/mounts`, { gracePeriodSeconds: 0 });
  await expect.poll(() => statusOf(`${path}/used`)).toBe(404);
});

test('copies the rules of aggregated roles', async () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const rulesOf = async (name: string): Promise<Json | undefined> =>
    (await ask('GET', `${path}/${name}`)).body['rules'];
  expect(Object.keys((await rulesOf('view')) ?? {})).not.toEqual([]);
  const selector = { matchLabels: { collected: 'yes' } };
  await ask('POST', path, {
    metadata: { name: 'whole' },
    aggregationRule: { clusterRoleSelectors: [selector] },
  });
  const rule = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] };
  await ask('POST', path, {
    metadata: { name: 'part', labels: { collected: 'yes' } },
    rules: [rule],
  });
  await expect.poll(() => rulesOf('whole')).toEqual([rule]);
  await ask('DELETE', `${path}/part`);
  await expect.poll(() => rulesOf('whole')).toBeNull();
});

test('collects objects without an owner', async () => {
  const maps = `${core}/default/configmaps`;
  const { body: owner } = await ask('POST', maps, configMap('owner'));
  await ask('POST', maps, configMap('owned', ownedBy(owner)));
  await ask('POST', maps, configMap('free'));
  await ask('DELETE', `${maps}/owner`, { propagationPolicy: 'Background' });
  await expect.poll(() => statusOf(`${maps}/owned`)).toBe(404);
  expect(await statusOf(`${maps}/free`)).toBe(200);
});

test('deletes owned objects first on request', async () => {
  const maps = `${core}/default/configmaps`;
  const { body: owner } = await ask('POST', maps, configMap('first'));
  await ask('POST', maps, configMap('second', ownedBy(owner, { blockOwnerDeletion: true })));
  const { body } = await ask('DELETE', `${maps}/first`, { propagationPolicy: 'Foreground' });
  expect(body['metadata']?.['finalizers']).toEqual(['foregroundDeletion']);
  await expect.poll(() => statusOf(`${maps}/second`)).toBe(404);
  await expect.poll(() => statusOf(`${maps}/first`)).toBe(404);
});

test('orphans owned objects on request', async () => {
  const maps = `${core}/default/configmaps`;
  const { body: owner } = await ask('POST', maps, configMap('parent'));
  await ask('POST', maps, configMap('child', ownedBy(owner)));
  await ask('DELETE', `${maps}/parent`, { propagationPolicy: 'Orphan' });
  await expect.poll(() => statusOf(`${maps}/parent`)).toBe(404);
  const { body } = await ask('GET', `${maps}/child`);
  expect(body['metadata']?.['ownerReferences']).toBeUndefined();
});

test('writes the warnings of the type checker to the status of policies', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  await ask('POST', path, {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments'],
            operations: ['*'],
          },
        ],
      },
      validations: [{ expression: 'object.spec.replicaz > 1' }],
    },
  });
  const status = async (): Promise<Json | undefined> =>
    (await ask('GET', `${path}/p`)).body['status'];
  await expect.poll(async () => (await status())?.['observedGeneration']).toBe(1);
  const warnings = (await status())?.['typeChecking']?.['expressionWarnings'];
  expect(warnings?.[0]?.['fieldRef']).toBe('spec.validations[0].expression');
  expect(warnings?.[0]?.['warning']).toContain("undefined field 'replicaz'");
});
