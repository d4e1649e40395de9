import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../src/cluster.ts';
import type { Decision } from '../src/decision.ts';
import { loadCluster } from '../src/load-cluster.ts';
import { mutateInSteps } from '../src/mutate-request.ts';
import { type PreparedRequest, prepareRequest } from '../src/prepare-request.ts';
import type { Steps } from '../src/steps.ts';
import { validateInSteps } from '../src/validate-request.ts';
import { definitionOf } from './examples.ts';

const schemas = await loadSchemas();
const late = 'the time of the request was up before the policy was evaluated';

function policies(count: number, failurePolicy: string): KubernetesObject[] {
  const names = Array.from({ length: count }, (_, index) => `policy-${index}`);
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const matchConstraints = {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  };
  const expression = `Object{metadata: Object.metadata{labels: {'a': 'b'}}}`;
  return names.flatMap((name) => [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { failurePolicy, matchConstraints, validations: [{ expression: 'true' }] },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy,
        reinvocationPolicy: 'Never',
        matchConstraints,
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      },
    },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name },
    },
  ]);
}

function prepared(cluster: Cluster): PreparedRequest {
  const request = prepareRequest(cluster, {
    uid: 'u',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'settings',
    namespace: 'shop',
    operation: 'CREATE',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
  });
  if (request.failure !== undefined) throw new Error(request.failure);
  return request;
}

/** Goes on with what is late from a step on, and counts the steps. */
function drive(
  steps: Steps<Decision>,
  lateFrom: number,
): { readonly count: number; readonly decision: Decision } {
  for (let count = 0; ; count++) {
    const step = steps.next(count > lateFrom);
    if (step.done === true) return { count, decision: step.value };
  }
}

const kinds = {
  validating: (request: PreparedRequest) =>
    validateInSteps(request, request.attributes.object, () => true),
  mutating: (request: PreparedRequest) => mutateInSteps(request, () => true),
};

describe.each(['validating', 'mutating'] as const)('%s policies', (kind) => {
  const start = (failurePolicy: string): Steps<Decision> =>
    kinds[kind](prepared(loadCluster({ resources: policies(3, failurePolicy), schemas })));

  test('give way before each evaluation', () => {
    const { count, decision } = drive(start('Fail'), Number.POSITIVE_INFINITY);
    expect({ count, denial: decision.denial }).toEqual({ count: 3, denial: undefined });
  });

  test('deny when it is too late for one of them', () => {
    const { decision } = drive(start('Fail'), 1);
    expect(decision.denial?.message).toContain(`denied request: ${late}`);
    expect(decision.denial?.message).toContain(`'policy-1'`);
    expect(decision.denial?.details?.causes).toHaveLength(kind === 'mutating' ? 2 : 1);
  });

  test('allow when they are to be ignored', () => {
    const { decision } = drive(start('Ignore'), 0);
    expect(decision.denial).toBeUndefined();
  });
});

test('takes custom resources that a server holds as they are', () => {
  const definition = definitionOf('Widget', {
    type: 'object',
    properties: { size: { type: 'integer', default: 3 } },
  });
  const cluster = loadCluster({ resources: [definition], schemas });
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop' },
    spec: { unknown: 1 },
  };
  const request = {
    uid: 'u',
    kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
    resource: { group: 'example.com', version: 'v1', resource: 'widgets' },
    name: 'w',
    namespace: 'shop',
    operation: 'CREATE',
    object,
  };
  const [held, sent] = [true, false].map((isHeld) => {
    const read = prepareRequest(cluster, request, { isHeld });
    if (read.failure !== undefined) throw new Error(read.failure);
    return read.attributes.object;
  });
  expect(held).toEqual(object);
  expect(sent).toMatchObject({ spec: { size: 3 } });
  expect(sent).not.toHaveProperty('spec.unknown');
});
