import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';

const group = 'admissionregistration.k8s.io';

/** The namespace of the requests. */
export const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', labels: { team: 'shop' } },
};

/** A policy that limits replicas to a value in a ConfigMap. */
export function replicaLimit(most: number) {
  const expression = 'object.spec.replicas <= int(params.data.most)';
  const messageExpression = "'no more than ' + params.data.most + ' replicas'";
  const rule = {
    operations: ['CREATE', 'UPDATE'],
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    resources: ['deployments'],
  };
  return {
    policy: {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'replicas' },
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression, messageExpression }],
      },
    },
    binding: {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'replicas' },
      spec: {
        policyName: 'replicas',
        paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' },
        validationActions: ['Deny'],
      },
    },
    parameter: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'limit', namespace: 'shop' },
      data: { most: String(most) },
    },
  };
}

/** A policy that adds a label with a JSON patch, and its binding. */
export function labelling(value: string): readonly KubernetesObject[] {
  const expression = `[JSONPatch{op: 'add', path: '/metadata/labels/owner', value: ${value}}]`;
  const rule = {
    operations: ['CREATE'],
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    resources: ['deployments'],
  };
  return [
    {
      apiVersion: `${group}/v1`,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'labels' },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
        reinvocationPolicy: 'Never',
      },
    },
    {
      apiVersion: `${group}/v1`,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: 'labels' },
      spec: { policyName: 'labels' },
    },
  ];
}

/** A Deployment with every default set, as kube-apiserver hands it to policies. */
export function deployment(replicas: number): KubernetesObject {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'web:1' }] },
      },
    },
  };
}

/** A request to create a Deployment. */
export function request(object: KubernetesObject): AdmissionRequest {
  return {
    uid: 'u',
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    name: 'web',
    namespace: 'shop',
    operation: 'CREATE',
    userInfo: { username: 'ann' },
    object,
  };
}

/** The definition of a kind of the group example.com, whose plural is its name in small letters and an s. */
export function definitionOf(kind: string, spec: object): KubernetesObject {
  const singular = kind.toLowerCase();
  const names = { plural: `${singular}s`, singular, kind, listKind: `${kind}List` };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  };
}
