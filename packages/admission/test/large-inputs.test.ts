import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test, vi } from 'vitest';
import { admit, loadCluster } from '../src/index.ts';
import { request } from './examples.ts';

vi.setConfig({ testTimeout: 60_000 });

const schemas = await loadSchemas();
const group = 'admissionregistration.k8s.io';
const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
const matchConstraints = { resourceRules: [rule] };

function policy(kind: string, spec: object) {
  const own = { reinvocationPolicy: 'Never', matchConstraints, ...spec };
  return { apiVersion: `${group}/v1`, kind, metadata: { name: 'p' }, spec: own };
}

function binding(kind: string, name: string, spec: object = {}) {
  const own = { policyName: 'p', ...spec };
  return { apiVersion: `${group}/v1`, kind: `${kind}Binding`, metadata: { name }, spec: own };
}

function mutating(patchType: string, expression: string) {
  const kind = 'MutatingAdmissionPolicy';
  const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  return [
    policy(kind, { mutations: [{ patchType, [field]: { expression } }] }),
    binding(kind, 'b'),
  ];
}

function validating(spec: object, bindings: readonly object[] = [{}]) {
  const kind = 'ValidatingAdmissionPolicy';
  const { reinvocationPolicy: _, ...own } = policy(kind, spec).spec;
  return [
    { ...policy(kind, spec), spec: own },
    ...bindings.map((each, i) => binding(kind, `b${i}`, { validationActions: ['Deny'], ...each })),
  ];
}

function many<Thing>(count: number, make: (index: number) => Thing): Thing[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Creates an object among resources; the outcome and the time that it took, in milliseconds. */
function timed(resources: readonly object[], kind: string, object: object) {
  const start = performance.now();
  const cluster = loadCluster({
    resources: resources as Record<string, unknown>[],
    schemas,
    onErrors: 'report',
  });
  expect(cluster.errors).toEqual([]);
  const outcome = admit(cluster, {
    ...request({ apiVersion: 'v1', kind, metadata: { name: 'x', namespace: 'shop' }, ...object }),
    kind: { group: '', version: 'v1', kind },
    resource: { group: '', version: 'v1', resource: `${kind.toLowerCase()}s` },
  });
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
  return { ...outcome, time: performance.now() - start };
}

// An algorithm of quadratic time would take minutes with these sizes.
const longest = 30_000;

const env = many(10_000, (i) => ({ name: `E${i}`, value: `${i}` }));
const pod = { spec: { containers: [{ name: 'c', image: 'i', env }] } };

test('a keyed list of 10,000 elements is merged', () => {
  const elements = `object.spec.containers[0].env.map(e,
    Object.spec.containers.env{name: e.name, value: 'new'})`;
  const container = `Object.spec.containers{name: 'c', env: ${elements}}`;
  const expression = `Object{spec: Object.spec{containers: [${container}]}}`;
  const { time, object } = timed(mutating('ApplyConfiguration', expression), 'Pod', pod);
  expect(object).toMatchObject({ spec: { containers: [{ env: { length: 10_000 } }] } });
  expect(time).toBeLessThan(longest);
});

test('a patch of 10,000 operations is applied', () => {
  const data = Object.fromEntries(many(10_000, (i) => [`k${i}`, 'old']));
  const expression = `object.data.map(k,
    JSONPatch{op: 'replace', path: '/data/' + k, value: 'new'})`;
  const { time, object } = timed(mutating('JSONPatch', expression), 'ConfigMap', { data });
  expect(object).toMatchObject({ data: { k0: 'new', k9999: 'new' } });
  expect(time).toBeLessThan(longest);
});

test('an object of 3 MB is mutated', () => {
  const data = Object.fromEntries(many(10_000, (i) => [`k${i}`, 'x'.repeat(300)]));
  const expression = "Object{metadata: Object.metadata{labels: {'a': 'b'}}}";
  const { time, object } = timed(mutating('ApplyConfiguration', expression), 'ConfigMap', { data });
  expect(object).toMatchObject({ metadata: { labels: { a: 'b' } } });
  expect(time).toBeLessThan(longest);
});

test('10,000 bindings find their parameters among 10,000', () => {
  const parameters = many(10_000, (i) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `p${i}`, namespace: 'settings' },
  }));
  const bindings = many(10_000, (i) => ({
    paramRef: { name: `p${i}`, namespace: 'settings', parameterNotFoundAction: 'Deny' },
  }));
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [{ expression: "params.metadata.name != 'p9999'" }];
  const policies = validating({ paramKind, validations }, bindings);
  const { time, response } = timed([...parameters, ...policies], 'ConfigMap', {});
  expect(response.status?.message).toContain("with binding 'b9999' denied request");
  expect(time).toBeLessThan(longest);
});

test('a selector of 1,000 terms and a message of a megabyte are taken', () => {
  const matchExpressions = many(1_000, (i) => ({ key: `k${i}`, operator: 'DoesNotExist' }));
  const message = 'x'.repeat(1_000_000);
  const policies = validating({
    matchConstraints: { ...matchConstraints, objectSelector: { matchExpressions } },
    validations: [{ expression: 'false', message }],
  });
  const { time, response } = timed(policies, 'ConfigMap', {});
  expect(response.status?.message).toContain(message);
  expect(time).toBeLessThan(longest);
});
