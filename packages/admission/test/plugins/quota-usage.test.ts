import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { describe, expect, test } from 'vitest';
import { withUsage } from '../../src/plugins/resource-quota/resource-quota.ts';
import { clusterOf } from './cluster.ts';

type Amounts = Readonly<Record<string, string>>;

function pod(name: string, requests: Amounts, more: object = {}, status: object = {}) {
  const containers = [{ name: 'web', resources: { requests } }];
  return of('Pod', name, { spec: { containers, ...more }, status });
}

function of(kind: string, name: string, body: object): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' }, ...body };
}

function claim(name: string, storage: string, storageClassName: string): KubernetesObject {
  const resources = { requests: { storage } };
  return of('PersistentVolumeClaim', name, { spec: { resources, storageClassName } });
}

const sidecar = { name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } };
const setup = { name: 'setup', resources: { requests: { cpu: '4' } } };

const cases: readonly {
  readonly title: string;
  readonly hard: Amounts;
  readonly scopes?: object;
  readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>;
  readonly used: Amounts;
}[] = [
  {
    title: 'sums the requests of pods',
    hard: { pods: '9', 'requests.cpu': '9', 'count/pods': '9' },
    objects: { pods: [pod('a', { cpu: '500m' }), pod('b', { cpu: '1' })] },
    used: { 'count/pods': '2', pods: '2', 'requests.cpu': '1500m' },
  },
  {
    title: 'counts finished pods as objects only',
    hard: { pods: '9', cpu: '9', 'count/pods': '9' },
    objects: { pods: [pod('a', { cpu: '1' }, {}, { phase: 'Succeeded' })] },
    used: { 'count/pods': '1', cpu: '0', pods: '0' },
  },
  {
    title: 'adds sidecars and takes the greatest init container',
    hard: { cpu: '9' },
    objects: { pods: [pod('a', { cpu: '1' }, { initContainers: [sidecar, setup] })] },
    used: { cpu: '5' },
  },
  {
    title: 'adds the overhead of a pod',
    hard: { cpu: '9' },
    objects: { pods: [pod('a', { cpu: '1' }, { overhead: { cpu: '250m' } })] },
    used: { cpu: '1250m' },
  },
  {
    title: 'uses the resources of the pod in place of those of its containers',
    hard: { cpu: '9' },
    objects: { pods: [pod('a', { cpu: '1' }, { resources: { requests: { cpu: '3' } } })] },
    used: { cpu: '3' },
  },
  {
    title: 'counts the pods in its scope',
    hard: { pods: '9' },
    scopes: { scopes: ['Terminating'] },
    objects: { pods: [pod('a', {}), pod('b', {}, { activeDeadlineSeconds: 60 })] },
    used: { pods: '1' },
  },
  {
    title: 'counts the pods with a priority class',
    hard: { pods: '9' },
    scopes: {
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
      },
    },
    objects: { pods: [pod('a', {}), pod('b', {}, { priorityClassName: 'high' })] },
    used: { pods: '1' },
  },
  {
    title: 'counts the storage of a class',
    hard: { 'requests.storage': '9Gi', 'fast.storageclass.storage.k8s.io/requests.storage': '9Gi' },
    objects: { persistentvolumeclaims: [claim('a', '1Gi', 'fast'), claim('b', '2Gi', 'slow')] },
    used: {
      'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
      'requests.storage': '3Gi',
    },
  },
  {
    title: 'counts objects of any resource',
    hard: { 'count/deployments.apps': '9', configmaps: '9' },
    objects: {
      'deployments.apps': [of('Deployment', 'web', {})],
      configmaps: [of('ConfigMap', 'a', {}), of('ConfigMap', 'b', {})],
    },
    used: { configmaps: '2', 'count/deployments.apps': '1' },
  },
];

describe('a quota without usage', () => {
  test.each(cases)('$title', ({ hard, scopes = {}, objects, used }) => {
    const quota = of('ResourceQuota', 'all', { spec: { hard, ...scopes } });
    expect(withUsage(quota, clusterOf(objects))['status']).toEqual({ hard, used });
  });

  test('keeps a usage that is already known', () => {
    const status = { hard: { pods: '2' }, used: { pods: '1' } };
    const quota = of('ResourceQuota', 'all', { spec: { hard: { pods: '2' } }, status });
    expect(withUsage(quota, clusterOf({}))).toBe(quota);
  });
});
