import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { expect, test, vi } from 'vitest';
import { ask, startForTest } from './running-server.ts';

const path = '/api/v1/namespaces/default/configmaps';
const waiting = { timeout: 60_000 };

test('informers of @kubernetes/client-node receive all objects and changes with one list', async () => {
  const server = await startForTest();
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const { code } = await ask(server, { method: 'POST', path, object: configMap('before', '0') });
  expect(code).toBe(201);

  const seen: string[] = [];
  let lists = 0;
  const informer = makeInformer<V1ConfigMap>(config, path, () => {
    lists++;
    return api.listNamespacedConfigMap({ namespace: 'default' });
  });
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, ({ metadata, data }) => {
      if (metadata?.name !== 'kube-root-ca.crt') {
        seen.push(`${event} ${metadata?.name} ${data?.['value']}`);
      }
    });
  }
  let errors = 0;
  informer.on('error', () => errors++);
  await informer.start();
  await vi.waitFor(() => expect(seen).toContain('add before 0'), waiting);

  const expected: string[] = ['add before 0'];
  for (let i = 0; i < 20; i++) {
    const name = `map-${i % 5}`;
    const isNew = i < 5;
    const object = configMap(name, String(i));
    const answer = isNew
      ? await ask(server, { method: 'POST', path, object })
      : await ask(server, { method: 'PUT', path: `${path}/${name}`, object });
    expect(answer.code).toBe(isNew ? 201 : 200);
    expected.push(`${isNew ? 'add' : 'update'} ${name} ${i}`);
  }
  await ask(server, { method: 'DELETE', path: `${path}/map-0` });
  expected.push('delete map-0 15');
  await vi.waitFor(() => expect(seen).toEqual(expected), waiting);
  const names = informer.list().map(({ metadata }) => metadata?.name);
  expect(names.filter((name) => name !== 'kube-root-ca.crt').sort()).toEqual([
    'before',
    'map-1',
    'map-2',
    'map-3',
    'map-4',
  ]);
  expect({ errors, lists }).toEqual({ errors: 0, lists: 1 });
  await informer.stop();
});

function configMap(name: string, value: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
}
