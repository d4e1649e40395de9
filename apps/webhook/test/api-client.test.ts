import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import { folderUntil, listen } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../src/cluster/api-client.ts';
import { objectPath } from '../src/cluster/discovery.ts';

const folder = folderUntil(afterAll);
const sockets: Socket[] = [];
const asked: string[] = [];
let server: ReturnType<typeof createServer>;
let client: ApiClient;

const items = Array.from({ length: 5 }, (_, index) => ({ metadata: { name: `item-${index}` } }));

function answerTo(url: string): { readonly code: number; readonly body: object } {
  const { pathname, searchParams } = new URL(url, 'https://localhost');
  if (pathname === '/missing') return { code: 404, body: { message: 'no such thing' } };
  if (pathname === '/unknown') return { code: 401, body: { message: 'Unauthorized' } };
  if (pathname.startsWith('/apis/')) return { code: 404, body: { message: '404 page not found' } };
  if (pathname === '/broken') return { code: 500, body: { message: 'no disk' } };
  const [start, limit] = [Number(searchParams.get('continue')), Number(searchParams.get('limit'))];
  const rest = start + limit < items.length ? { continue: String(start + limit) } : {};
  const metadata = { resourceVersion: '7', ...rest };
  return { code: 200, body: { metadata, items: items.slice(start, start + limit) } };
}

beforeAll(async () => {
  const authority = await makeAuthority('test', { now: Date.now() });
  const pair = await makeCertificate(
    authority,
    { type: 'server', commonName: 'localhost', names: ['localhost'] },
    { now: Date.now() },
  );
  server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    asked.push(request.url ?? '');
    const { code, body } = answerTo(request.url ?? '');
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  server.on('connection', (socket: Socket) => sockets.push(socket));
  const port = await listen(server);
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'tls-server-name': 'localhost',
    'certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
  };
  const file = join(folder, 'kubeconfig');
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  client = await ApiClient.open({ kind: 'kubeconfig', file });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('requests share a connection', async () => {
  for (let count = 0; count < 5; count++) await client.ask('/things?limit=9');
  expect(sockets).toHaveLength(1);
});

test('returns undefined for a missing object, and throws for other errors', async () => {
  await expect(client.find('/missing')).resolves.toBeUndefined();
  await expect(client.ask('/missing')).rejects.toMatchObject({ code: 404 });
  await expect(client.find('/broken')).rejects.toMatchObject({ code: 500, message: 'no disk' });
});

test('a collection comes in pages, with its query', async () => {
  asked.length = 0;
  const names: string[][] = [];
  for await (const page of client.pages('/things?labelSelector=a', 2)) {
    expect(page.resourceVersion).toBe('7');
    names.push(page.items.map(({ metadata }) => (metadata as { readonly name: string }).name));
  }
  expect(names).toEqual([['item-0', 'item-1'], ['item-2', 'item-3'], ['item-4']]);
  expect(asked).toEqual([
    '/things?labelSelector=a&limit=2',
    '/things?labelSelector=a&limit=2&continue=2',
    '/things?labelSelector=a&limit=2&continue=4',
  ]);
});

test('a kept connection that the server has reset is not the end of a request', async () => {
  await client.ask('/things?limit=9');
  for (const socket of sockets) socket.resetAndDestroy();
  await expect(client.ask('/things?limit=9')).resolves.toContain('item-0');
  expect(sockets.length).toBeGreaterThan(1);
});

const named = { name: 'a', cluster: { server: 'https://127.0.0.1:1' } };
const whole = {
  'current-context': 'a',
  clusters: [named],
  users: [{ name: 'a', user: {} }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
};

test.each([
  ['is empty', ''],
  ['cannot be read as a kubeconfig', 'a: ['],
  ['has no current context; it has no contexts', '{}'],
  [
    'has no current context; it has `a`; choose one with `kubectl config use-context NAME',
    { ...whole, 'current-context': '' },
  ],
  ['has no context `b`; it has `a`; choose one with', { ...whole, 'current-context': 'b' }],
  ['has no cluster `a`, which its context `a` names', { ...whole, clusters: [] }],
  ['has no user `a`, which its context `a` names', { ...whole, users: [] }],
  [
    'the kubeconfig has an invalid server address `here`',
    { ...whole, clusters: [{ ...named, cluster: { server: 'here' } }] },
  ],
])('a kubeconfig that %s', async (problem, config) => {
  const file = join(folder, 'wrong');
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  await expect(ApiClient.open({ kind: 'kubeconfig', file })).rejects.toThrow(problem);
});

test.each([
  [
    '/unknown',
    'Unauthorized: the server rejects the token or certificate of the kubeconfig; it may have expired or belong to another cluster',
  ],
  [
    '/apis/wgpolicyk8s.io/v1alpha2/policyreports?limit=1',
    '404 page not found: the cluster does not serve wgpolicyk8s.io/v1alpha2; install its CustomResourceDefinitions',
  ],
])('the refusal of %s says what it may mean', async (path, problem) => {
  await expect(client.ask(path)).rejects.toThrow(problem);
});

test.each([
  [
    { 'certificate-authority-data': '' },
    {},
    'is not signed by the authority that the kubeconfig names',
  ],
  [
    {},
    {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'false',
        interactiveMode: 'Never',
      },
    },
    'the credential plugin `false` failed',
  ],
] as const)('a cluster with %j asked by %j', async (cluster, user, problem) => {
  const file = join(folder, 'others');
  const before = JSON.parse(readFileSync(join(folder, 'kubeconfig'), 'utf8')) as typeof whole;
  const clusters = before.clusters.map((each) => ({
    ...each,
    cluster: { ...each.cluster, ...cluster },
  }));
  const config = { ...before, clusters, users: [{ name: 'test', user }] };
  writeFileSync(file, JSON.stringify(config));
  const asked = (await ApiClient.open({ kind: 'kubeconfig', file })).ask('/api/v1/pods');
  await expect(asked).rejects.toThrow(problem);
});

test.each([
  ['..', 'a', '/api/v1/namespaces/../configmaps/a'],
  ['a', '..', '/api/v1/namespaces/a/configmaps/..'],
  ['a/../b', 'c?watch=true', '/api/v1/namespaces/a%2F..%2Fb/configmaps/c%3Fwatch%3Dtrue'],
  ['', '.', '/api/v1/namespaces/default/configmaps/.'],
])(
  'the namespace %j and the name %j are segments of the path that is requested',
  async (namespace, name, path) => {
    const resource = {
      ...{ group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', apiVersion: 'v1' },
      ...{ path: '/api/v1/configmaps', isNamespaced: true, verbs: new Set<string>() },
    };
    await client.ask(objectPath(resource, namespace, name));
    expect(asked.at(-1)).toBe(path);
  },
);
