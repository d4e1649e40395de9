import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { admit, loadCluster } from '../src/index.ts';
import { deployment, labelling, namespace, replicaLimit, request } from './examples.ts';

const schemas = await loadSchemas();

function load(...resources: object[]) {
  return loadCluster({
    resources: resources as Record<string, unknown>[],
    schemas,
    onErrors: 'report',
  });
}

test('a denied request is traced to the validation', () => {
  const { policy, binding, parameter } = replicaLimit(3);
  const outcome = admit(load(namespace, policy, binding, parameter), request(deployment(5)));
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
  const message =
    "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: no more than 3 replicas";
  expect(outcome.response).toMatchObject({ allowed: false, status: { message, code: 422 } });
  expect(outcome.trace).toMatchObject([
    {
      kind: 'ValidatingAdmissionPolicy',
      policy: 'replicas',
      outcome: 'evaluated',
      reason: { type: 'rule', rule: 0 },
      bindings: [
        {
          binding: 'replicas',
          outcome: 'evaluated',
          evaluations: [{ parameter: { namespace: 'shop', name: 'limit' }, decisions: [{}] }],
        },
      ],
    },
  ]);
});

test('an allowed request keeps its object', () => {
  const { policy, binding, parameter } = replicaLimit(3);
  const sent = deployment(2);
  const outcome = admit(load(namespace, policy, binding, parameter), request(sent));
  expect(outcome).toMatchObject({ response: { uid: 'u', allowed: true }, object: sent });
});

test('a mutation is answered as a patch, and validated after', () => {
  const { policy, binding, parameter } = replicaLimit(3);
  const cluster = load(
    namespace,
    policy,
    binding,
    parameter,
    ...labelling('request.userInfo.username'),
  );
  const allowed = admit(cluster, request(deployment(1)));
  expect(allowed).toMatchObject({
    response: { allowed: true, patchType: 'JSONPatch' },
    object: { metadata: { labels: { app: 'web', owner: 'ann' } } },
    trace: [
      { policy: 'labels', bindings: [{ evaluations: [{ mutations: [{ outcome: 'changed' }] }] }] },
      { policy: 'replicas' },
    ],
  });
  const patch = allowed.failure === undefined ? (allowed.response.patch ?? '') : '';
  const label = { op: 'add', path: '/metadata/labels/owner', value: 'ann' };
  expect(JSON.parse(atob(patch))).toContainEqual(label);
  expect(admit(cluster, request(deployment(4)))).toMatchObject({ response: { allowed: false } });
});

test('defaults that read the clock use the time of the host', () => {
  const kind = { group: 'resource.k8s.io', version: 'v1alpha3', kind: 'DeviceTaintRule' };
  const object = {
    apiVersion: 'resource.k8s.io/v1alpha3',
    kind: 'DeviceTaintRule',
    metadata: { name: 'a' },
    spec: { taint: { key: 'k', effect: 'NoExecute' } },
  };
  const asked = {
    kind,
    resource: { group: kind.group, version: kind.version, resource: 'devicetaintrules' },
    operation: 'CREATE',
    object,
  };
  const now = '2026-01-02T03:04:05Z';
  expect(admit(load(), asked, { now })).toMatchObject({
    object: { spec: { taint: { timeAdded: now } } },
  });
});

test('parameters that are given have the defaults of the time at which the cluster was loaded', () => {
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'taints' },
    spec: {
      paramKind: { apiVersion: 'resource.k8s.io/v1beta2', kind: 'DeviceTaintRule' },
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] },
        ],
      },
      validations: [
        { expression: 'false', messageExpression: 'string(params.spec.taint.timeAdded)' },
      ],
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'taints' },
    spec: {
      policyName: 'taints',
      validationActions: ['Deny'],
      paramRef: { selector: {}, parameterNotFoundAction: 'Deny' },
    },
  };
  const rules = (['v1alpha3', 'v1beta2'] as const).map((version) => ({
    apiVersion: `resource.k8s.io/${version}`,
    kind: 'DeviceTaintRule',
    metadata: { name: version },
    spec: { taint: { key: 'k', effect: 'NoExecute' } },
  }));
  const now = '2026-01-02T03:04:05Z';
  const cluster = loadCluster({ schemas, resources: [policy, binding, ...rules], now });
  const outcome = admit(cluster, request(deployment(1)));
  const evaluations =
    outcome.failure === undefined ? outcome.trace[0]?.bindings[0]?.evaluations : [];
  expect(evaluations?.map(({ decisions }) => decisions?.[0])).toMatchObject([
    { action: 'deny', message: now },
    { action: 'deny', message: now },
  ]);
});

test('neither the request nor the cluster is changed, and answers repeat', () => {
  const { policy, binding, parameter } = replicaLimit(3);
  const cluster = load(namespace, policy, binding, parameter);
  const asked = freeze(request(deployment(5)));
  const answers = [1, 2, 3].map(() => JSON.stringify(admit(cluster, asked)));
  expect(new Set(answers).size).toBe(1);
});

test('reports and skips a rejected policy', () => {
  const { policy, binding, parameter } = replicaLimit(3);
  const broken = { ...policy, spec: { ...policy.spec, validations: [{ expression: 'object.' }] } };
  const cluster = load(namespace, broken, binding, parameter);
  expect(cluster.errors).toMatchObject([{ resource: 'ValidatingAdmissionPolicy/replicas' }]);
  expect(cluster.errors[0]?.fields?.[0]).toContain('spec.validations[0].expression: Invalid value');
  expect(admit(cluster, request(deployment(5)))).toMatchObject({ response: { allowed: true } });
});

function freeze<Item>(value: Item): Item {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
