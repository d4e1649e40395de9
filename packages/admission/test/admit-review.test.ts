import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { admitReview, loadCluster } from '../src/index.ts';
import { deployment, labelling, namespace, replicaLimit, request } from './examples.ts';

const schemas = await loadSchemas();
const { policy, binding, parameter } = replicaLimit(3);
const resources = [namespace, policy, binding, parameter, ...labelling("'ann'")];
const cluster = loadCluster({ resources, schemas });

function review(replicas: number, apiVersion = 'admission.k8s.io/v1') {
  return { apiVersion, kind: 'AdmissionReview', request: request(deployment(replicas)) };
}

test.each(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'])(
  'a review of %s is answered in its version',
  (apiVersion) => {
    const answer = admitReview(cluster, review(1, apiVersion));
    expect(answer).toMatchObject({ apiVersion, kind: 'AdmissionReview' });
    expect(answer.response).toMatchObject({ uid: 'u', allowed: true, patchType: 'JSONPatch' });
  },
);

test('omits the subject of a denial, which kube-apiserver replaces by the name of the webhook', () => {
  const { response } = admitReview(cluster, review(5));
  const message =
    "ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: no more than 3 replicas";
  expect(response).toMatchObject({ uid: 'u', allowed: false });
  expect(response.status).toMatchObject({ message, reason: 'Invalid', code: 422 });
});

test('a mutating webhook leaves validating policies alone', () => {
  const { response } = admitReview(cluster, review(5), { policies: 'mutating' });
  expect(response).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
});

test('a validating webhook never answers a patch', () => {
  const allowed = admitReview(cluster, review(1), { policies: 'validating' });
  expect(allowed.response).toEqual({ uid: 'u', allowed: true });
  const denied = admitReview(cluster, review(5), { policies: 'validating' });
  expect(denied.response.allowed).toBe(false);
});

test('a patch of a custom resource has an empty list where the server itself would keep null', () => {
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a', namespace: 'team' },
    spec: {},
  };
  const parts = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { parts } } },
    },
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  const applyConfiguration = { expression: 'Object{spec: Object.spec{parts: []}}' };
  const admissionregistration = 'admissionregistration.k8s.io/v1';
  const emptying = {
    apiVersion: admissionregistration,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      reinvocationPolicy: 'Never',
      matchConstraints: { resourceRules: [rule] },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration }],
    },
  };
  const bound = {
    apiVersion: admissionregistration,
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: 'p' },
    spec: { policyName: 'p' },
  };
  const own = loadCluster({ resources: [definition, emptying, bound], schemas });
  const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };
  const resource = { group: 'example.com', version: 'v1', resource: 'widgets' };
  const asked = { ...request(widget), kind, resource, name: 'a', namespace: 'team' };
  const { response } = admitReview(own, { ...review(1), request: asked });
  const patch = Buffer.from(response.patch ?? '', 'base64').toString('utf8');
  expect(JSON.parse(patch)).toEqual([{ op: 'add', path: '/spec/parts', value: [] }]);
});
