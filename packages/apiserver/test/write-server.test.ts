import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { createWriteServer, type WriteRequest } from '../src/index.ts';

const configMap = { group: '', version: 'v1', resource: 'configmaps' };

async function serverOf(resources: readonly KubernetesObject[]) {
  const schemas = await loadSchemas();
  return createWriteServer({
    resources,
    schemas,
    now: () => Date.parse('2026-01-02T03:04:05Z'),
    randomUid: () => crypto.randomUUID(),
  });
}

function configMapOf(name: string, data: object, metadata: object = {}): KubernetesObject {
  const own = { name, namespace: 'default', ...metadata };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: own, data };
}

test('no write changes the cluster', async () => {
  const server = await serverOf([]);
  const create: WriteRequest = {
    verb: 'create',
    resource: configMap,
    object: configMapOf('a', { key: 'value' }),
  };
  const first = await server.answer(create);
  expect(first).toMatchObject({ code: 201, object: { data: { key: 'value' } } });
  expect(await server.answer(create)).toEqual(first);
  server.close();
});

test('the old object of a request exists for that request alone', async () => {
  const held = configMapOf('a', { key: 'held' });
  const server = await serverOf([held]);
  const patch: WriteRequest = {
    verb: 'patch',
    resource: configMap,
    namespace: 'default',
    name: 'a',
    patchType: 'merge',
    patch: { data: { other: 'new' } },
  };
  const asked = { ...patch, oldObject: configMapOf('a', { key: 'old' }) };
  expect(await server.answer(asked)).toMatchObject({ object: { data: { key: 'old' } } });
  expect(await server.answer(patch)).toMatchObject({ object: { data: { key: 'held' } } });
  server.close();
});

test('an update may name the resource version of the given object', async () => {
  const stored = { uid: '5c7b6d1e-6f5a-4a0e-8f52-0d1b5d3f0c11', resourceVersion: '4711' };
  const held = configMapOf('a', { key: 'held' }, stored);
  const server = await serverOf([held]);
  const update = (resourceVersion: string): WriteRequest => ({
    verb: 'update',
    resource: configMap,
    namespace: 'default',
    name: 'a',
    object: configMapOf('a', { key: 'new' }, { resourceVersion }),
  });
  expect(await server.answer(update('4711'))).toMatchObject({ code: 200 });
  expect(await server.answer(update('4710'))).toMatchObject({ code: 409 });
  server.close();
});

test('objects of a given definition are validated', async () => {
  const definition: KubernetesObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'boxes', kind: 'Box' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { size: { type: 'integer', maximum: 3 } },
            },
          },
        },
      ],
    },
  };
  const server = await serverOf([definition]);
  const create = (size: number): WriteRequest => ({
    verb: 'create',
    resource: { group: 'example.com', version: 'v1', resource: 'boxes' },
    object: { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'a' }, size },
  });
  expect(await server.answer(create(3))).toMatchObject({ code: 201, object: { size: 3 } });
  expect(await server.answer(create(4))).toMatchObject({ code: 422 });
  server.close();
});
