import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { createWriteServer, type WriteRequest } from '../src/index.ts';

// As kube-apiserver 1.37.1 answers.

async function answered(request: WriteRequest) {
  const server = await createWriteServer({
    resources: [],
    schemas: await loadSchemas({ version: '1.37' }),
    now: () => 0,
    randomUid: () => '00000000-0000-4000-8000-000000000000',
  });
  const answer = await server.answer({ name: 'a', ...request });
  server.close();
  return answer;
}

test('an update of a pod that leaves out its resources keeps them', async () => {
  const resources = { limits: { cpu: '2' }, requests: { cpu: '1' } };
  const spec = { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false };
  const metadata = { name: 'a', namespace: 'default' };
  const old = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...spec, resources } };
  const labelled = { ...metadata, labels: { a: 'b' } };
  const whole = { serviceAccountName: 'default', serviceAccount: 'default', priority: 0 };
  const oldObject = withPlugins(old, whole);
  const { code, status, object } = await answered({
    verb: 'update',
    resource: { group: '', version: 'v1', resource: 'pods' },
    namespace: 'default',
    object: { ...oldObject, metadata: labelled, spec: { ...spec, ...whole, ...tolerations } },
    oldObject,
  });
  expect({ code, status }).toEqual({ code: 200 });
  expect(object).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { resources } });
});

const tolerations = {
  preemptionPolicy: 'PreemptLowerPriority',
  tolerations: ['not-ready', 'unreachable'].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
};

/** A pod as plugins completed it. */
function withPlugins(pod: KubernetesObject, fields: object): KubernetesObject {
  return { ...pod, spec: { ...(pod['spec'] as object), ...fields, ...tolerations } };
}

test('a driver of volumes gets its first generation when it changes', async () => {
  const answer = await answered({
    verb: 'patch',
    resource: { group: 'storage.k8s.io', version: 'v1', resource: 'csidrivers' },
    patchType: 'merge',
    patch: { spec: { requiresRepublish: true } },
    oldObject: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'a' },
      spec: {},
    },
  });
  expect(answer).toMatchObject({ code: 200, object: { metadata: { generation: 1 } } });
});
