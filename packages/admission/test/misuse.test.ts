import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import {
  admit,
  admitReview,
  checkDefinition,
  decide,
  loadCluster,
  mutateRequest,
  prepareCluster,
  prepareRequest,
  RbacAuthorizer,
  RefusedResourcesError,
  validateRequest,
} from '../src/index.ts';
import { deployment, namespace, replicaLimit, request } from './examples.ts';

const schemas = await loadSchemas();
const { policy, binding, parameter } = replicaLimit(3);
const cluster = loadCluster({ resources: [namespace, policy, binding, parameter], schemas });
const right = request(deployment(5));

interface Misuse {
  readonly name: string;
  /** The value given in place of a request, or the change to a valid request. */
  readonly only?: unknown;
  readonly change?: object;
  readonly problem: string;
}

const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: right };
const reviewPolicies = ['both', 'mutating', 'validating'] as const;

const file = new URL('cases/misused-requests.json', import.meta.url);
const misuses = JSON.parse(readFileSync(file, 'utf8')) as readonly Misuse[];

test.each(misuses)('no request: $name', ({ only, change, problem }) => {
  const given = (change === undefined ? only : { ...right, ...change }) as AdmissionRequest;
  const failure = `not an AdmissionRequest: ${problem}`;
  expect(admit(cluster, given)).toEqual({ failure });
  expect(prepareRequest(cluster, given)).toEqual({ failure });
});

test.each(
  misuses
    .filter(({ change }) => change !== undefined && !('uid' in change))
    .flatMap((misuse) => reviewPolicies.map((policies) => ({ ...misuse, policies }))),
)('a review with $name is denied by $policies policies', ({ change, policies, problem }) => {
  const given = { ...review, request: { ...right, ...change } };
  const { response } = admitReview(cluster, given, { policies });
  const message = `not an AdmissionRequest: ${problem}`;
  expect(response).toMatchObject({ allowed: false, status: { code: 400, message } });
});

test('accepts field names in any case if requested', () => {
  const outcome = admit(cluster, {}, { allowIncomplete: true });
  expect(outcome).toMatchObject({ response: { uid: '', allowed: true } });
});

test.each([
  [undefined, 'it is undefined'],
  ['{}', 'it is the string "{}"'],
  [right, 'its `kind` is an object'],
  [
    { ...review, apiVersion: 'v1' },
    'its `apiVersion` must be one of admission.k8s.io/v1, admission.k8s.io/v1beta1, got the string "v1"',
  ],
  [{ ...review, request: undefined }, 'its `request` is undefined'],
  [
    { ...review, request: { ...right, uid: '' } },
    'its `request` has no `uid`, which the answer needs',
  ],
])('no review: %j', (given, problem) => {
  expect(admitReview(cluster, given)).toEqual({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid: expect.any(String) as string,
      allowed: false,
      status: {
        metadata: {},
        status: 'Failure',
        message: `not an AdmissionReview: ${problem}`,
        reason: 'BadRequest',
        code: 400,
      },
    },
  });
});

test('a review whose request is wrong is denied under its uid', () => {
  const { response } = admitReview(cluster, { ...review, request: { uid: 'u' } });
  const message = 'not an AdmissionRequest: it has no `operation`';
  expect(response).toMatchObject({ uid: 'u', allowed: false, status: { code: 400, message } });
});

const promise = Promise.resolve(cluster) as unknown;

const wrongCalls: Readonly<Record<string, () => unknown>> = {
  'admit: expected a cluster from `prepareCluster`, got a Promise (await it)': () =>
    admit(promise as never, right),
  'admit: expected a cluster from `prepareCluster`, got undefined': () =>
    admit(undefined as never, right),
  'admit: expected a cluster from `prepareCluster`, got an object': () =>
    admit({ resources: [] } as never, right),
  'admitReview: expected a cluster from `prepareCluster`, got a Promise (await it)': () =>
    admitReview(promise as never, review),
  'prepareRequest: expected a cluster from `prepareCluster`, got a list': () =>
    prepareRequest([] as never, right),
  'loadCluster: expected options, as in loadCluster({ resources: […] }), got a list': () =>
    loadCluster([] as never),
  'loadCluster: `resources` must be a list of objects, got undefined': () =>
    loadCluster({ schemas } as never),
  'loadCluster: `resources[1]` must be an object of Kubernetes, got the string "kind: Pod"': () =>
    loadCluster({ schemas, resources: [policy, 'kind: Pod'] } as never),
  'loadCluster: `resources[0]` must be an object of Kubernetes, got a list': () =>
    loadCluster({ schemas, resources: [[policy]] } as never),
  'loadCluster: expected schemas from `await loadSchemas()`, got undefined': () =>
    loadCluster({ resources: [] } as never),
  'loadCluster: expected schemas from `await loadSchemas()`, got a Promise (await it)': () =>
    loadCluster({ resources: [], schemas: loadSchemas() } as never),
  'loadCluster: `onErrors` must be "throw" or "report", got the string "ignore"': () =>
    loadCluster({ resources: [], schemas, onErrors: 'ignore' } as never),
  'loadCluster: unknown option `kubernetesversion` (did you mean `kubernetesVersion`?)': () =>
    loadCluster({ resources: [], schemas, kubernetesversion: '1.30' } as never),
  'loadCluster: `kubernetesVersion` must be a string, got the number 1.3': () =>
    loadCluster({ resources: [], schemas, kubernetesVersion: 1.3 } as never),
  'loadCluster: `checkDefinitions` must be a boolean, got the string "false"': () =>
    loadCluster({ resources: [], schemas, checkDefinitions: 'false' } as never),
  'loadCluster: `observe` must be a function, got the number 5': () =>
    loadCluster({ resources: [], schemas, observe: 5 } as never),
  'loadCluster: `previous`: expected a cluster from `prepareCluster`, got a Promise (await it)':
    () => loadCluster({ resources: [], schemas, previous: promise } as never),
  'admitReview: `policies` must be one of "both", "mutating", "validating", got the string "Validating"':
    () => admitReview(cluster, review, { policies: 'Validating' } as never),
  'admitReview: expected options as an object, got null': () =>
    admitReview(cluster, review, null as never),
  'admit: unknown option `policies` (expected one of allowIncomplete, isHeld, isOfClient, now)':
    () => admit(cluster, right, { policies: 'validating' } as never),
  'admit: `allowIncomplete` must be a boolean, got the string "no"': () =>
    admit(cluster, right, { allowIncomplete: 'no' } as never),
};

test.each(Object.entries(wrongCalls))('a wrong call throws %s', (message, call) => {
  expect(call).toThrow(new TypeError(message));
});

test('prepareCluster reports arguments of the wrong type', async () => {
  await expect(prepareCluster([] as never)).rejects.toThrow(
    new TypeError(
      'prepareCluster: expected options, as in prepareCluster({ resources: […] }), got a list',
    ),
  );
});

const broken = { ...policy, spec: { ...policy.spec, validations: [{ expression: 'object.' }] } };

test('throws for an invalid policy, with the message of the server', async () => {
  const made = prepareCluster({ resources: [broken, binding] });
  await expect(made).rejects.toThrow(RefusedResourcesError);
  await expect(made).rejects.toThrow('ValidatingAdmissionPolicy/replicas: ');
  await expect(made).rejects.toMatchObject({
    errors: [{ resource: 'ValidatingAdmissionPolicy/replicas' }],
  });
});

test('is reported if requested, without an error about its binding', async () => {
  const { errors, notes } = await prepareCluster({
    resources: [broken, binding],
    onErrors: 'report',
  });
  expect(errors).toMatchObject([{ resource: 'ValidatingAdmissionPolicy/replicas' }]);
  expect(notes).toEqual([]);
});

test('notes objects without effect', () => {
  const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items: [policy] };
  const unbound = { ...policy, metadata: { name: 'unbound' } };
  const { notes } = loadCluster({ resources: [list, unbound, binding], schemas });
  expect(notes).toEqual([
    {
      resource: 'List/',
      message: 'a list is not an object of a cluster and has no effect; pass its items',
    },
    {
      resource: 'ValidatingAdmissionPolicy/unbound',
      message: 'it has no binding and never runs',
    },
    {
      resource: 'ValidatingAdmissionPolicyBinding/replicas',
      message:
        'it refers to ValidatingAdmissionPolicy `replicas`, which is not among the resources',
    },
  ]);
});

test.each<[string, object, string]>([
  [
    'a policy whose kind is in another case',
    { ...policy, kind: 'validatingAdmissionPolicy' },
    'it has no effect: unknown kind `validatingAdmissionPolicy.admissionregistration.k8s.io`; did you mean `ValidatingAdmissionPolicy.admissionregistration.k8s.io`?',
  ],
  [
    'a policy of a group that is none',
    { ...policy, apiVersion: 'admissionregistration/v1' },
    'it has no effect: unknown kind `ValidatingAdmissionPolicy.admissionregistration`; did you mean `ValidatingAdmissionPolicy.admissionregistration.k8s.io`?',
  ],
  [
    'a policy of Kyverno',
    { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name: 'replicas' } },
    'Kyverno policies have no effect here; `prepareChain` of `@kubeadmit/check` evaluates them',
  ],
])('a policy that no request meets is noted: %s', (_name, given, message) => {
  const { notes } = loadCluster({ resources: [given as typeof policy], schemas });
  expect(notes).toEqual([{ resource: `${(given as typeof policy).kind}/replicas`, message }]);
});

test('notes two different policies with the same name', () => {
  const other = { ...policy, spec: { ...policy.spec, validations: [{ expression: 'true' }] } };
  const given = [policy, structuredClone(policy), other, binding, namespace, parameter];
  expect(loadCluster({ resources: given, schemas }).notes).toEqual([
    {
      resource: 'ValidatingAdmissionPolicy/replicas',
      message:
        'it is given more than once with different content; a cluster has one object of each name',
    },
  ]);
});

test('prepareCluster knows the kinds of its version', async () => {
  const made = await prepareCluster({ resources: [], kubernetesVersion: 'v1.30.2' });
  expect(made.schemas.version).toBe('1.30');
});

const itself: Record<string, unknown> = {};
itself['again'] = itself;
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1);

test.each([
  ['contains itself', itself],
  ['is deep', deep],
])('a resource that %s is refused', (_name, value) => {
  const named = (object: typeof policy) => ({ ...object, spec: { ...object.spec, value } });
  const { errors } = loadCluster({
    resources: [named(policy), named(policy), { ...parameter, value }] as never,
    schemas,
    onErrors: 'report',
  });
  const message = 'the value is nested too deeply, or contains itself';
  expect(errors[0]).toEqual({ resource: 'ValidatingAdmissionPolicy/replicas', message });
});

test.each([
  ['a map', new Map(), 'spec is an object of the class Map (expected plain JSON data)'],
  [
    'a date',
    { at: new Date(0) },
    'spec.at is an object of the class Date (expected plain JSON data)',
  ],
  ['a set', [new Set()], 'spec[0] is an object of the class Set (expected plain JSON data)'],
  [
    'a class',
    new (class Typed {})(),
    'spec is an object of the class Typed (expected plain JSON data)',
  ],
  ['a function', { at: () => 1 }, 'spec.at is a function'],
  ['a symbol', Symbol('s'), 'spec is the symbol Symbol(s)'],
  ['no number', { at: { a: Number.POSITIVE_INFINITY } }, 'spec.at.a is the number Infinity'],
  ['a gap', [undefined], 'spec[0] is undefined'],
])('nothing is decided of a custom resource with %s', (_name, spec, problem) => {
  const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };
  const given = {
    operation: 'CREATE' as const,
    kind,
    resource: { group: 'example.com', version: 'v1', resource: 'widgets' },
    object: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec },
  };
  expect(admit(cluster, given as never)).toEqual({ failure: `request.object: ${problem}` });
});

test.each<[string, unknown, string]>([
  [
    'a map',
    new Map([['kind', 'Deployment']]),
    'not an AdmissionRequest: `object` is an object of the class Map (expected plain JSON data)',
  ],
  [
    'a date',
    new Date(0),
    'not an AdmissionRequest: `object` is an object of the class Date (expected plain JSON data)',
  ],
  ['a number that is none', { spec: { replicas: Number.NaN } }, 'request: NaN is not JSON'],
  [
    'a member that throws',
    {
      get spec() {
        throw new Error('no answer');
      },
    },
    'request: it cannot be read: no answer',
  ],
])('nothing is decided of an object that is %s', (_name, object, failure) => {
  const given = { ...right, object: object as NonNullable<typeof right.object> };
  expect(admit(cluster, given)).toEqual({ failure });
});

test.each([
  ['later', async () => ({ decision: 'deny', reason: '' }), 'a Promise (await it)'],
  ['nothing', () => undefined, 'undefined'],
  ['another word', () => ({ decision: 'forbid' }), 'an object'],
])(
  'an authorizer that answers %s gives an error and no decision',
  async (_name, authorize, what) => {
    const expression = "!authorizer.group('').resource('pods').check('get').allowed()";
    const asking = { ...policy, spec: { ...policy.spec, validations: [{ expression }] } };
    const made = await prepareCluster({
      resources: [asking, binding, namespace, parameter],
      authorizer: { authorize } as never,
    });
    const { response } = admit(made, right) as { response: { allowed: boolean; status: object } };
    expect(response.allowed).toBe(false);
    expect(response.status).toMatchObject({
      message: expect.stringContaining(`\`authorize\` gave ${what}, which has no \`decision\``),
    });
  },
);

class Typed {
  constructor(members: object) {
    Object.assign(this, members);
  }
}

test('requests and reviews of a class are taken as those without one', () => {
  const typed = new Typed(right) as AdmissionRequest;
  expect(admit(cluster, typed)).toEqual(admit(cluster, right));
  const review = (request: object) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request,
  });
  const plain = admitReview(cluster, review(right));
  expect(admitReview(cluster, new Typed(review(typed)))).toEqual(plain);
});

test.each([
  ['a class', new Typed({}), 'an object of the class Typed (expected plain JSON data)'],
  ['a date', new Date(0), 'an object of the class Date (expected plain JSON data)'],
  ['a map', new Map(), 'an object of the class Map (expected plain JSON data)'],
  [
    'another realm',
    runInNewContext('({})'),
    'an object of the class Object of another realm (expected plain JSON data)',
  ],
  ['nothing', undefined, 'undefined'],
])('values that JSON has not are named: %s', (_name, labels, what) => {
  const object = { ...deployment(5), metadata: { name: 'web', namespace: 'shop', labels } };
  expect(admit(cluster, { ...right, object })).toEqual({
    failure: `request.object: json: cannot unmarshal ${what} into Go struct field ObjectMeta.metadata.labels of type map[string]string`,
  });
});

test('resources of a class are refused by name', () => {
  const resources = [new Typed(parameter) as typeof parameter];
  expect(() => loadCluster({ resources, schemas })).toThrow(
    'ConfigMap/limit: it is an object of the class Typed (expected plain JSON data)',
  );
});

const prepared = prepareRequest(cluster, right);
if ('failure' in prepared) throw new Error(prepared.failure);
const unreadable = prepareRequest(cluster, {});

const steps = [
  ['decide', decide],
  ['mutateRequest', mutateRequest],
  ['checkDefinition', (given) => checkDefinition(given, null)],
  ['validateRequest', (given) => validateRequest(given, null)],
] as const satisfies readonly (readonly [string, (given: never) => unknown])[];

test.each(steps)('%s takes what prepareRequest gave', (name, step) => {
  const told: readonly (readonly [unknown, string])[] = [
    [undefined, 'a result of `prepareRequest`, got undefined'],
    [right, 'a result of `prepareRequest`, got an object'],
    [[prepared], 'a result of `prepareRequest`, got a list'],
    [
      unreadable,
      'a prepared request, got the failure `not an AdmissionRequest: it has no `operation``',
    ],
  ];
  for (const [given, what] of told) {
    expect(() => step(given as never)).toThrow(new TypeError(`${name}: expected ${what}`));
  }
});

// Policies would have found no object, and nothing wrong with it.
test.each([
  ['nothing', undefined, 'undefined'],
  ['a promise', Promise.resolve(deployment(5)), 'a Promise (await it)'],
  ['a text', '{}', 'the string "{}"'],
])('a step takes the object, not %s', (_name, object, what) => {
  const expected = `expects the current object or null, not ${what}`;
  expect(() => validateRequest(prepared, object as never)).toThrow(`validateRequest ${expected}`);
  expect(() => checkDefinition(prepared, object as never)).toThrow(`checkDefinition ${expected}`);
});

test.each([
  ['one role', { kind: 'Role' }, '`objects` must be a list of objects, got an object'],
  ['nothing', undefined, '`objects` must be a list of objects, got undefined'],
  [
    'a text among roles',
    ['Role'],
    '`objects[0]` must be an object of Kubernetes, got the string "Role"',
  ],
])('an authorizer takes a list of objects, not %s', (_name, objects, what) => {
  const expected = new TypeError(`new RbacAuthorizer: ${what}`);
  expect(() => new RbacAuthorizer(objects as never)).toThrow(expected);
});
