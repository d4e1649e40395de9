import { expect, test } from 'vitest';
import { admittedSnapshot } from '../src/policies/admitted-snapshot.ts';
import type { PolicyGroups } from '../src/policies/policy-groups.ts';
import type { Snapshot } from '../src/policies/snapshot.ts';

const objects = [
  ['v1', 'ConfigMap', 'shop'],
  ['v1', 'Namespace', ''],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', ''],
  ['policies.kubeadmit.dev/v1', 'ValidatingAdmissionPolicyBinding', ''],
  ['kyverno.io/v1', 'ClusterPolicy', ''],
  ['kyverno.io/v2', 'PolicyException', 'shop'],
  ['policies.kyverno.io/v1', 'PolicyException', 'other'],
] as const;

const snapshot: Snapshot = {
  sources: [{ name: 'a.yaml', text: '' }],
  problems: [],
  clusterVersion: '1.37',
  clusterObjects: objects.map(([apiVersion, kind, namespace]) => ({
    name: `${kind} ${namespace}`,
    text: JSON.stringify({ apiVersion, kind, metadata: { name: 'a', namespace } }),
  })),
};

const everything: PolicyGroups = {
  native: true,
  own: true,
  kyverno: true,
  exceptionNamespace: '*',
};
const native = 'ValidatingAdmissionPolicy ';
const own = 'ValidatingAdmissionPolicyBinding ';
const kyverno = 'ClusterPolicy ';

test.each<[string, Partial<PolicyGroups>, readonly string[]]>([
  [
    'all policies and exceptions',
    {},
    [native, own, kyverno, 'PolicyException shop', 'PolicyException other'],
  ],
  [
    'no exceptions without a namespace for them',
    { exceptionNamespace: undefined },
    [native, own, kyverno],
  ],
  [
    'exceptions of the present namespace only',
    { exceptionNamespace: 'shop' },
    [native, own, kyverno, 'PolicyException shop'],
  ],
  ['no policies of Kyverno', { kyverno: false }, [native, own]],
  ['no native policies', { native: false, exceptionNamespace: undefined }, [own, kyverno]],
  [
    'no policies of the own group',
    { own: false, exceptionNamespace: undefined },
    [native, kyverno],
  ],
])('a kept set is restored with %s, and with all other objects', (_, options, policies) => {
  const { clusterObjects, ...others } = admittedSnapshot(snapshot, { ...everything, ...options });
  expect(clusterObjects?.map(({ name }) => name)).toEqual([
    ...['ConfigMap shop', 'Namespace '],
    ...policies,
  ]);
  expect(others).toEqual({ sources: snapshot.sources, problems: [], clusterVersion: '1.37' });
});

test('a kept set is restored without objects of a cluster if none is followed', () => {
  expect(admittedSnapshot(snapshot, undefined)).toEqual({
    sources: snapshot.sources,
    problems: [],
  });
});
