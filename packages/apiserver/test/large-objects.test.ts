import { afterAll, describe, expect, test } from 'vitest';
import { MemoryStore } from '../src/store.ts';
import { startLocalServer } from './local-server.ts';

// The length of the longest part that kube-apiserver 1.37.1 with a dedicated etcd stores, as recorded there: one
// more byte is answered with 500. Half of all etcd members accept one byte less (see `write-limit.ts`), and the
// recorded updates had a generation with one more digit.

// The revision of the existing object is part of the request: two bytes, as on the recorded server.
const store = new MemoryStore({ revision: 200 });
const { ask, pass, server } = await startLocalServer({ store });
afterAll(() => server.close());

async function send(method: string, path: string, body: object, type = 'application/json') {
  const { text } = await ask({
    method,
    path,
    as: 'admin',
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  return JSON.parse(text);
}

const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
pass(10_000);

const things = '/apis/example.com/v1/namespaces/default/things';
const mergePatch = 'application/merge-patch+json';
let made = 0;

/** A name of so many characters that was not there yet. */
function newName(length: number): string {
  return `${++made}`.padStart(4, '0').padEnd(length, 'n');
}

function thing(name: string, length: number) {
  const data = 'x'.repeat(length);
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, data };
}

function create(nameLength: number) {
  return (length: number) => send('POST', things, thing(newName(nameLength), length));
}

async function patched(nameLength: number) {
  const name = newName(nameLength);
  await send('POST', things, thing(name, 10));
  return (length: number) =>
    send('PATCH', `${things}/${name}`, { data: 'x'.repeat(length) }, mergePatch);
}

async function replaced() {
  const name = newName(4);
  const { metadata } = await send('POST', things, thing(name, 10));
  const { resourceVersion } = metadata;
  return (length: number) => {
    const object = thing(name, length);
    return send('PUT', `${things}/${name}`, { ...object, metadata: { name, resourceVersion } });
  };
}

function apply(length: number) {
  const name = newName(4);
  const path = `${things}/${name}?fieldManager=m`;
  return send('PATCH', path, thing(name, length), 'application/apply-patch+yaml');
}

function createDeployment(commands: number) {
  const command = Array.from({ length: commands }, () => 's');
  const labels = { a: 'b' };
  const spec = { containers: [{ name: 'a', image: 'b', command }] };
  return send('POST', '/apis/apps/v1/namespaces/default/deployments?fieldManager=m', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: newName(4) },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
}

describe('objects that are too large for etcd', () => {
  test.each([
    ['a custom resource', () => create(4), 1_572_534, false],
    ['one with a long name', () => create(200), 1_571_943, false],
    ['a patched one', () => patched(4), 1_572_486, false],
    ['a patched one with a long name', () => patched(200), 1_571_696, false],
    ['a replaced one', () => replaced(), 1_572_486, false],
    ['one by server-side apply, which keeps who set what', () => apply, 1_572_324, true],
    ['a deployment, in protocol buffers', () => createDeployment, 524_136, false],
  ])('%s', async (_, begin, longest, hasManagers) => {
    const write = await begin();
    const { metadata, ...refused } = await write(longest + 1);
    expect(metadata).toEqual({});
    expect(refused).toEqual({
      code: 500,
      status: 'Failure',
      kind: 'Status',
      apiVersion: 'v1',
      message: 'etcdserver: request is too large',
    });
    const stored = await write(longest);
    expect(stored.message).toBeUndefined();
    expect('managedFields' in stored.metadata).toBe(hasManagers);
  });

  test('are stored with their field managers if they fit', async () => {
    expect('managedFields' in (await create(4)(1_400_000)).metadata).toBe(true);
  });
});
