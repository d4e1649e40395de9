import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { existingPodWarnings } from '../../src/plugins/pod-security/existing-pods.ts';
import { clusterOf } from './cluster.ts';

function pod(name: string, spec: object): KubernetesObject {
  const containers = [{ name: 'web', image: 'nginx' }];
  return { kind: 'Pod', metadata: { name, namespace: 'shop' }, spec: { containers, ...spec } };
}

test('existing pods that violate a new level are named once for each combination of reasons', () => {
  const pods = [
    pod('b', { hostNetwork: true }),
    pod('a', { hostNetwork: true }),
    pod('c', { hostPID: true, volumes: [{ name: 'logs', hostPath: { path: '/var/log' } }] }),
    pod('d', {}),
    pod('e', { hostNetwork: true, runtimeClassName: 'exempt' }),
  ];
  const cluster = clusterOf({ pods });
  const standard = { level: 'baseline', version: 'latest' } as const;
  expect(existingPodWarnings('shop', standard, cluster, new Set(['exempt']))).toEqual([
    'existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"',
    'a (and 1 other pod): host namespaces',
    'c: host namespaces, hostPath volumes',
  ]);
});
