import { loadPlugins } from '@kubeadmit/admission/plugins';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { ApiClient, type ClientAnswer, serverUser } from '../src/index.ts';
import { MemoryStore } from '../src/store.ts';
import { startLocalServer } from './local-server.ts';

const path = '/api/v1/namespaces/default';

/** A store in which another server always changes quotas first. */
class ContestedStore extends MemoryStore {
  isContested = false;

  override async put(...[key, value, options]: Parameters<MemoryStore['put']>) {
    if (!this.isContested || !key.startsWith('/registry/resourcequotas/'))
      return super.put(key, value, options);
    return { done: false as const, current: await this.get(key) };
  }
}

async function startQuotaServer(store: MemoryStore = new MemoryStore()) {
  const plugins = await loadPlugins({
    plugins: ['NamespaceLifecycle', 'ResourceQuota'],
    minor: 37,
  });
  const { server } = await startLocalServer({ controllers: true, plugins, store });
  const client = new ApiClient(server, serverUser, 'test');
  const createSecret = (name: string, query = ''): Promise<ClientAnswer> =>
    client.ask({
      method: 'POST',
      path: `${path}/secrets${query}`,
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name } },
    });
  await client.ask({
    method: 'POST',
    path: `${path}/resourcequotas`,
    body: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few' },
      spec: { hard: { secrets: '2' } },
    },
  });
  const usage = async (): Promise<unknown> => {
    const { object } = await client.ask({ method: 'GET', path: `${path}/resourcequotas/few` });
    return object['status'];
  };
  const untilUsed = (used: string): Promise<void> =>
    expect.poll(usage).toEqual({ hard: { secrets: '2' }, used: { secrets: used } });
  await untilUsed('0');
  return { server, client, createSecret, untilUsed };
}

test('a quota counts new objects and refuses those beyond it', async () => {
  const { server, createSecret, untilUsed } = await startQuotaServer();
  expect(await createSecret('dry', '?dryRun=All')).toMatchObject({ status: 201 });
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => createSecret(name)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403]);
  expect(answers.find(({ status }) => status === 403)?.object['message']).toMatch(
    /^secrets "." is forbidden: exceeded quota: few, requested: secrets=1, used: secrets=2, limited: secrets=2$/,
  );
  await untilUsed('2');
  await server.close();
});

test('an object is refused if its quota cannot be charged because others change it', async () => {
  const store = new ContestedStore();
  const { server, client, createSecret } = await startQuotaServer(store);
  store.isContested = true;
  expect(await createSecret('a')).toMatchObject({
    status: 409,
    object: {
      message:
        'Operation cannot be fulfilled on resourcequotas "few": the object has been modified; please apply your changes to the latest version and try again',
    },
  });
  expect(await client.ask({ method: 'GET', path: `${path}/secrets/a` })).toMatchObject({
    status: 404,
  });
  await server.close();
});

test('a deleted object is not counted any more', async () => {
  const { server, client, createSecret, untilUsed } = await startQuotaServer();
  await createSecret('a');
  await untilUsed('1');
  await client.ask({ method: 'DELETE', path: `${path}/secrets/a` });
  await untilUsed('0');
  await server.close();
});

test('a pod that gets a deadline is counted by the quota of such pods only', async () => {
  const plugins = await loadPlugins({
    plugins: ['NamespaceLifecycle', 'ResourceQuota'],
    minor: 37,
  });
  const { server } = await startLocalServer({ controllers: true, plugins });
  const client = new ApiClient(server, serverUser, 'test');
  const quotas = `${path}/resourcequotas`;
  for (const scope of ['Terminating', 'NotTerminating']) {
    const metadata = { name: scope.toLowerCase() };
    const spec = { hard: { pods: '5' }, scopes: [scope] };
    await client.ask({ method: 'POST', path: quotas, body: { metadata, spec } });
  }
  const used = async (name: string): Promise<unknown> => {
    const { object } = await client.ask({ method: 'GET', path: `${quotas}/${name}` });
    return (object['status'] as { readonly used?: unknown } | undefined)?.used;
  };
  await expect.poll(() => used('terminating')).toEqual({ pods: '0' });
  await expect.poll(() => used('notterminating')).toEqual({ pods: '0' });
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  await client.ask({ method: 'POST', path: `${path}/pods`, body: pod });
  await expect.poll(() => used('notterminating')).toEqual({ pods: '1' });
  const changed = await client.ask({
    method: 'PATCH',
    path: `${path}/pods/a`,
    contentType: 'application/merge-patch+json',
    body: { spec: { activeDeadlineSeconds: 60 } },
  });
  expect(changed).toMatchObject({ status: 200 });
  await expect.poll(() => used('terminating')).toEqual({ pods: '1' });
  await expect.poll(() => used('notterminating')).toEqual({ pods: '0' });
  await server.close();
});

test('a claim is counted by the quotas of the class that it has and of the one that it wants', async () => {
  const plugins = await loadPlugins({ plugins: ['ResourceQuota'], minor: 37 });
  const { server } = await startLocalServer({ controllers: true, plugins });
  const client = new ApiClient(server, serverUser, 'test');
  const quotas = `${path}/resourcequotas`;
  for (const name of ['gold', 'silver']) {
    const selected = { scopeName: 'VolumeAttributesClass', operator: 'In', values: [name] };
    const spec = {
      hard: { persistentvolumeclaims: '1' },
      scopeSelector: { matchExpressions: [selected] },
    };
    await client.ask({ method: 'POST', path: quotas, body: { metadata: { name }, spec } });
  }
  const used = async (name: string): Promise<unknown> => {
    const { object } = await client.ask({ method: 'GET', path: `${quotas}/${name}` });
    return member(member(object['status'], 'used'), 'persistentvolumeclaims');
  };
  const untilUsed = async (gold: string, silver: string): Promise<void> => {
    await expect.poll(() => used('gold')).toBe(gold);
    await expect.poll(() => used('silver')).toBe(silver);
  };
  await untilUsed('0', '0');
  const claims = `${path}/persistentvolumeclaims`;
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const volumeAttributesClassName = 'gold';
  await client.ask({
    method: 'POST',
    path: claims,
    body: { metadata: { name: 'a' }, spec: { ...spec, volumeAttributesClassName } },
  });
  await untilUsed('1', '0');
  const patch = async (subresource: string, body: KubernetesObject): Promise<void> => {
    const contentType = 'application/merge-patch+json';
    const at = `${claims}/a${subresource}`;
    const { status } = await client.ask({ method: 'PATCH', path: at, contentType, body });
    expect(status).toBe(200);
  };
  await patch('/status', {
    status: { phase: 'Bound', currentVolumeAttributesClassName: 'gold' },
  });
  await patch('', { spec: { volumeAttributesClassName: 'silver' } });
  await untilUsed('1', '1');
  await patch('/status', { status: { currentVolumeAttributesClassName: 'silver' } });
  await untilUsed('0', '1');
  await server.close();
});

test('a missing namespace is created for its first object', async () => {
  const plugins = await loadPlugins({
    plugins: ['NamespaceAutoProvision', 'NamespaceLifecycle'],
    minor: 37,
  });
  const { server } = await startLocalServer({ plugins });
  const client = new ApiClient(server, serverUser, 'test');
  const create = (query = ''): Promise<ClientAnswer> =>
    client.ask({
      method: 'POST',
      path: `/api/v1/namespaces/new/configmaps${query}`,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    });
  expect(await create('?dryRun=All')).toMatchObject({ status: 404 });
  expect(await create()).toMatchObject({ status: 201 });
  const { object } = await client.ask({ method: 'GET', path: '/api/v1/namespaces/new' });
  expect(object).toMatchObject({ status: { phase: 'Active' } });
  await server.close();
});
