import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import type { AdmissionPlugin, PluginRequest } from '../../src/plugins/plugin.ts';
import { podNodeSelector } from '../../src/plugins/pod-node-selector/pod-node-selector.ts';
import { podTolerationRestriction } from '../../src/plugins/pod-toleration-restriction/pod-toleration-restriction.ts';
import { clusterOf } from './cluster.ts';

const prefix = 'scheduler.alpha.kubernetes.io/';

const cases: readonly {
  readonly name: string;
  readonly plugin: AdmissionPlugin;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: object;
  readonly result: 'changed' | 'denied';
  readonly isCause: boolean;
}[] = [
  {
    name: 'the node selector of a Namespace is added to a pod',
    plugin: podNodeSelector,
    annotations: { [`${prefix}node-selector`]: 'zone=a' },
    spec: {},
    result: 'changed',
    isCause: true,
  },
  {
    name: 'a pod conflicts with the node selector of its Namespace',
    plugin: podNodeSelector,
    annotations: { [`${prefix}node-selector`]: 'zone=a' },
    spec: { nodeSelector: { zone: 'b' } },
    result: 'denied',
    isCause: true,
  },
  {
    name: 'a Namespace without a node selector causes nothing',
    plugin: podNodeSelector,
    annotations: {},
    spec: {},
    result: 'changed',
    isCause: false,
  },
  {
    name: 'the default tolerations of a Namespace are added to a pod',
    plugin: podTolerationRestriction,
    annotations: { [`${prefix}defaultTolerations`]: '[{"key":"a","operator":"Exists"}]' },
    spec: {},
    result: 'changed',
    isCause: true,
  },
  {
    name: 'a pod has tolerations that its Namespace does not allow',
    plugin: podTolerationRestriction,
    annotations: { [`${prefix}tolerationsWhitelist`]: '[{"key":"a","operator":"Exists"}]' },
    spec: { tolerations: [{ key: 'b', operator: 'Exists' }] },
    result: 'denied',
    isCause: true,
  },
  {
    name: 'the annotation of a Namespace is not JSON',
    plugin: podTolerationRestriction,
    annotations: { [`${prefix}tolerationsWhitelist`]: '[' },
    spec: { tolerations: [{ key: 'b', operator: 'Exists' }] },
    result: 'denied',
    isCause: true,
  },
];

test.each(cases)('$name', ({ plugin, annotations, spec, result, isCause }) => {
  const namespace: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', annotations },
  };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec };
  const request = {
    operation: 'CREATE',
    resource: { group: '', version: 'v1', resource: 'pods' },
    subresource: '',
    namespace: 'shop',
    object,
  } as unknown as PluginRequest;
  const outcome = plugin.mutate?.(request, clusterOf({ namespaces: [namespace] }));
  expect(outcome?.denial === undefined ? 'changed' : 'denied').toBe(result);
  const names = outcome?.causes?.map(({ metadata }) => (metadata as { name: string }).name);
  expect(names).toEqual(isCause ? ['shop'] : []);
});
