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

test('a denial is told without the subject, which kube-apiserver replaces by the name of the webhook', () => {
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
