import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../src/cluster.ts';
import type { Decision } from '../src/decision.ts';
import { loadCluster } from '../src/load-cluster.ts';
import { mutateInSteps } from '../src/mutate-request.ts';
import { type PreparedRequest, prepareRequest } from '../src/prepare-request.ts';
import type { PolicyTrace } from '../src/trace.ts';
import { validateInSteps, validateRequest } from '../src/validate-request.ts';
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
  return preparedOf(cluster, 'CREATE', 'settings');
}

function preparedOf(cluster: Cluster, operation: string, name: string): PreparedRequest {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } };
  const request = prepareRequest(cluster, {
    uid: 'u',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    name,
    namespace: 'shop',
    operation,
    object,
    oldObject: operation === 'UPDATE' ? object : null,
  });
  if (request.failure !== undefined) throw new Error(request.failure);
  return request;
}

/** Runs the steps, says from a step on that it is late, and counts them. */
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
  validating: (request: PreparedRequest) => validateInSteps(request, request.attributes.object),
  mutating: (request: PreparedRequest) => mutateInSteps(request),
};

describe.each(['validating', 'mutating'] as const)('%s policies', (kind) => {
  const start = (failurePolicy: string): Steps<Decision> =>
    kinds[kind](prepared(loadCluster({ resources: policies(3, failurePolicy), schemas })));

  test('pause before each of them', () => {
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

describe('a policy whose time is up after its first evaluation', () => {
  const name = 'policy-0';
  const ofOne = (kind: string, change: (spec: Record<string, unknown>) => object) =>
    policies(1, 'Fail').flatMap((each) => {
      if (each['kind'] !== kind) return [each];
      const spec = each['spec'] as Record<string, unknown>;
      return change(spec) as KubernetesObject[];
    });

  test('is not evaluated with its second binding', () => {
    const kind = 'ValidatingAdmissionPolicyBinding';
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const resources = ofOne(kind, (spec) =>
      ['a', 'b'].map((binding) => ({ apiVersion, kind, metadata: { name: binding }, spec })),
    );
    const steps = kinds.validating(prepared(loadCluster({ resources, schemas })));
    const { decision } = drive(steps, 1);
    const subject = `ValidatingAdmissionPolicy '${name}' with binding 'b'`;
    expect(decision.denial?.message).toContain(`${subject} denied request: ${late}`);
    expect(decision.trace[0]?.bindings[0]?.evaluations[0]?.decisions?.[0]?.action).toBe('admit');
  });

  test('does not do its second mutation', () => {
    const kind = 'MutatingAdmissionPolicy';
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const resources = ofOne(kind, (spec) => {
      const mutations = spec['mutations'] as readonly unknown[];
      const twice = { ...spec, mutations: [...mutations, ...mutations] };
      return [{ apiVersion, kind, metadata: { name }, spec: twice }];
    });
    const steps = kinds.mutating(prepared(loadCluster({ resources, schemas })));
    const { decision } = drive(steps, 1);
    expect(decision.denial?.message).toContain(`denied request: ${late}`);
    const outcomes = decision.trace[0]?.bindings[0]?.evaluations[0]?.mutations;
    expect(outcomes?.map(({ outcome }) => outcome)).toEqual(['changed', 'error']);
  });
});

// The number of pauses of a single policy, one of them before its first evaluation.
describe('a single policy pauses', () => {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const rules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  const all = (kind: string, spec: object, bindings: readonly object[] = [{}]) => [
    {
      apiVersion,
      kind,
      metadata: { name: 'policy' },
      spec: { matchConstraints: { resourceRules: rules }, ...spec },
    },
    ...bindings.map((each, index) => ({
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name: `binding-${index}` },
      spec: {
        policyName: 'policy',
        ...(kind.startsWith('V') ? { validationActions: ['Deny', 'Audit'] } : {}),
        ...each,
      },
    })),
  ];
  const parameters = ['a', 'b', 'c'].map((name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { name },
  }));
  const paramRef = { selector: {}, parameterNotFoundAction: 'Deny' };
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validating = (spec: object, bindings?: readonly object[]) =>
    all('ValidatingAdmissionPolicy', spec, bindings);
  const mutations = ['a', 'b', 'c'].map((label) => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: {
      expression: `Object{metadata: Object.metadata{labels: {'${label}': 'x'}}}`,
    },
  }));
  const validations = [{ expression: 'true' }, { expression: 'false' }];
  const cases: readonly [name: string, pauses: number, resources: readonly object[]][] = [
    ['not between validations', 1, validating({ validations })],
    [
      'between parameters',
      3,
      [
        ...validating({ paramKind, validations: [{ expression: `params.data.name != 'b'` }] }, [
          { paramRef },
        ]),
        ...parameters,
      ],
    ],
    ['between bindings', 2, validating({ validations }, [{}, {}])],
    [
      'between mutations',
      3,
      all('MutatingAdmissionPolicy', { reinvocationPolicy: 'Never', mutations }),
    ],
  ];

  test.each(cases)('%s', (_name, pauses, resources) => {
    const cluster = loadCluster({ resources: resources as KubernetesObject[], schemas });
    const kind = cases.at(-1)?.[2] === resources ? 'mutating' : 'validating';
    const { count, decision } = drive(kinds[kind](prepared(cluster)), Number.POSITIVE_INFINITY);
    expect(decision).toEqual(allSteps(kinds[kind](prepared(cluster))));
    expect(count).toBe(pauses);
  });
});

// The cached trace of a policy that allows a request must not be reported for other requests.
test('uses the cached decision of a policy only for allowed requests', () => {
  const [policy, binding] = policies(1, 'Fail') as [KubernetesObject, KubernetesObject];
  const spec = policy['spec'] as { readonly matchConstraints: object };
  const rules = ['CREATE', 'UPDATE'].map((operation) => ({
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: [operation],
    resources: ['configmaps'],
  }));
  const expression = `object.metadata.name != 'bad'`;
  const changed = {
    ...policy,
    spec: { ...spec, matchConstraints: { resourceRules: rules }, validations: [{ expression }] },
  };
  const cluster = loadCluster({ resources: [changed, binding], schemas });
  const ask = (operation: string, objectName: string): readonly unknown[] => {
    const request = preparedOf(cluster, operation, objectName);
    const { denial, trace } = validateRequest(request, request.attributes.object);
    const [evaluation] = trace[0]?.bindings[0]?.evaluations ?? [];
    return [denial?.code, trace[0]?.reason, evaluation?.decisions?.map(({ action }) => action)];
  };
  const byRule = (rule: number): object => ({ type: 'rule', rule });
  expect(ask('CREATE', 'good')).toEqual([undefined, byRule(0), ['admit']]);
  expect(ask('CREATE', 'bad')).toEqual([422, byRule(0), ['deny']]);
  expect(ask('UPDATE', 'good')).toEqual([undefined, byRule(1), ['admit']]);
  expect(ask('CREATE', 'good')).toEqual([undefined, byRule(0), ['admit']]);
  expect(ask('UPDATE', 'bad')).toEqual([422, byRule(1), ['deny']]);
});

test('protects the cached decision of a policy from changes by observers', () => {
  const request = prepared(loadCluster({ resources: policies(1, 'Fail'), schemas }));
  const ask = (): PolicyTrace =>
    validateRequest(request, request.attributes.object).trace[0] as PolicyTrace;
  const told = ask();
  const before = structuredClone(told);
  const parts: object[] = [told];
  for (const part of parts) {
    expect(Object.isFrozen(part)).toBe(true);
    parts.push(...Object.values(part).filter((each) => typeof each === 'object' && each !== null));
  }
  expect(parts.length).toBeGreaterThan(8);
  expect(ask()).toEqual(before);
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
