import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { mutateRequest, passRequest, readRequest, validateRequest } from '@kubeadmit/chain';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { admitObject, type ObjectRequest, prepareChain } from '../../src/index.ts';

interface Case {
  readonly name: string;
  readonly resources: readonly KubernetesObject[];
  readonly object: KubernetesObject;
  readonly request?: ObjectRequest;
  readonly allowed: boolean;
  /** `POLICY VERDICT`, sorted. */
  readonly findings: readonly string[];
  readonly message?: string;
  readonly failure?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('admit-object.yaml', import.meta.url), 'utf8');
const cases = parse(text) as readonly Case[];
const clock = (): number => 0;

test.each(cases)('$name', async (given) => {
  const chain = await prepareChain({ resources: given.resources, clock });
  const passage = admitObject(chain, given.object, given.request);
  expect(passage.allowed).toBe(given.allowed);
  const told = passage.findings.map(({ policy, verdict }) => `${policy} ${verdict}`);
  expect(told.sort()).toEqual(given.findings);
  expect(passage.findings.map(({ message }) => message).join()).toContain(given.message ?? '');
  expect(passage.failure ?? '').toContain(given.failure ?? '');
  expect(passage.failure === undefined).toBe(given.failure === undefined);
  if (given.labels) expect(passage.object?.['metadata']).toMatchObject({ labels: given.labels });
});

const rule = { name: 'r', match: { any: [{ resources: { kinds: ['Pod'] } }] } };
const policy = (rules: readonly object[], kind = 'ClusterPolicy') => ({
  apiVersion: 'kyverno.io/v1',
  kind,
  metadata: { name: 'p' },
  spec: { rules },
});

test.each([
  ['a policy that Kyverno refuses', policy([{ ...rule, validate: { pattern: '{{ x }}' } }])],
  ['a policy that its definition refuses', policy([{ ...rule, match: { any: 'Pod' } }])],
  ['a rule that is not evaluated', policy([{ ...rule, generate: { kind: 'Secret', name: 'a' } }])],
  ['a kind that is not evaluated', policy([], 'CleanupPolicy')],
])('%s is never silent', async (_, resource) => {
  const resources = [resource as unknown as KubernetesObject];
  await expect(prepareChain({ resources, clock })).rejects.toThrow(/refuse 1 resource|Policy\/p/);
  const { errors } = await prepareChain({ resources, clock, onErrors: 'report' });
  expect(errors[0]?.resource).toMatch(/Policy\/p$/);
});

test.each([
  ['no options', undefined],
  ['a list', []],
  ['a policy for the list', { resources: policy([]), clock }],
  ['no clock', { resources: [] }],
  ['another word', { resources: [], clock, onErrors: 'ignore' }],
  ['an option with a slip', { resources: [], clock, kubernetesversion: '1.30' }],
  ['a version that is a number', { resources: [], clock, kubernetesVersion: 1.3 }],
])('%s instead of options is a TypeError', async (_, options) => {
  await expect(prepareChain(options as never)).rejects.toThrow(TypeError);
});

test('throws a TypeError for invalid chains and objects', async () => {
  const chain = prepareChain({ resources: [], clock });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(() => admitObject(chain as never, object)).toThrow(TypeError);
  expect(() => admitObject(undefined as never, object)).toThrow(TypeError);
  for (const wrong of [undefined, null, 'a', [object], Promise.resolve(object)]) {
    expect(() => admitObject({ cluster: {} } as never, wrong as never)).toThrow(TypeError);
  }
});

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const empty = await prepareChain({ resources: [], clock });
const checking = await prepareChain({
  resources: [policy([{ ...rule, validate: { pattern: { metadata: {} } } }])],
  clock,
});
const readFailure = readRequest(empty, {} as never);

test.each<[string, () => unknown, string]>([
  [
    'a promise of a chain',
    () => passRequest(Promise.resolve(empty) as never, {} as never),
    'passRequest: expected a chain from `await prepareChain({ … })`, got a Promise (await it)',
  ],
  [
    'a cluster for a chain',
    () => readRequest(empty.cluster as never, {} as never),
    'readRequest: expected a chain from `await prepareChain({ … })`, got an object',
  ],
  [
    'a map for an object',
    () => admitObject(empty, new Map(Object.entries(pod)) as never),
    'admitObject: expected an object of Kubernetes, got an object of the class Map (expected plain JSON data)',
  ],
  [
    'an option with a slip',
    () => admitObject(empty, pod, { operaton: 'DELETE' } as never),
    'admitObject: unknown option `operaton` (did you mean `operation`?)',
  ],
  [
    'an operation in another case',
    () => admitObject(empty, pod, { operation: 'delete' } as never),
    'admitObject: `operation` must be one of "CREATE", "UPDATE", "DELETE", got the string "delete"',
  ],
  [
    'no options',
    () => admitObject(empty, pod, null as never),
    'admitObject: expected options as an object, got null',
  ],
  [
    'the name of a user',
    () => admitObject(empty, pod, { user: 'ann' } as never),
    'admitObject: `user` must be an object, got the string "ann"',
  ],
  [
    'a user of a request',
    () => admitObject(empty, pod, { user: { username: 'ann' } } as never),
    'admitObject: `user`: unknown option `username` (expected one of name, groups, uid, extra)',
  ],
  [
    'a user without a name',
    () => admitObject(empty, pod, { user: { groups: [] } } as never),
    'admitObject: `user` has no `name`',
  ],
  [
    'an object for a namespace',
    () => admitObject(empty, pod, { namespace: {} } as never),
    'admitObject: `namespace` must be a string, got an object',
  ],
  [
    'a request that could not be read',
    () => mutateRequest(readFailure as never),
    'mutateRequest: expected a result of `readRequest`, got the failure `not an AdmissionRequest: it has no `operation``',
  ],
  [
    'a request that was not read',
    () => validateRequest({} as never),
    'validateRequest: expected a result of `readRequest`, got an object',
  ],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(new TypeError(message));
});

const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1);

test.each<[string, KubernetesObject, string]>([
  [
    'a list',
    { apiVersion: 'v1', kind: 'List', metadata: {}, items: [pod] },
    'the object is a list; pass its items one by one',
  ],
  [
    'a review',
    { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: {} },
    'the object is an AdmissionReview; pass its `request` to `passRequest`',
  ],
  [
    'a kind in another case',
    { ...pod, kind: 'pod' },
    'no matches for kind "pod" in version "v1" (did you mean `Pod`?)',
  ],
  [
    'a kind of another group',
    { ...pod, kind: 'Deployment' },
    'no matches for kind "Deployment" in version "v1": it is in apps/v1',
  ],
  [
    'a deep value',
    { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: deep as never },
    'request.object: it is nested too deeply, or contains itself',
  ],
  ['a number that is none', { ...pod, spec: { priority: Number.NaN } }, 'request: NaN is not JSON'],
])('nothing is decided of %s', (_name, object, failure) => {
  expect(admitObject(checking, object)).toMatchObject({ allowed: false, failure });
});

test('prepareChain knows the kinds of its version', async () => {
  const chain = await prepareChain({ resources: [], clock, kubernetesVersion: '1.30' });
  expect(chain.cluster.schemas.version).toBe('1.30');
});

const itself: Record<string, unknown> = {};
itself['again'] = itself;

test.each<[string, unknown, string]>([
  [
    'a map',
    new Map([['metadata', 'x']]),
    'spec.rules[0].validate.pattern is an object of the class Map (expected plain JSON data)',
  ],
  ['a function', () => true, 'spec.rules[0].validate.pattern is a function'],
  [
    'a number that is none',
    { spec: Number.NaN },
    'spec.rules[0].validate.pattern.spec is the number NaN',
  ],
  ['itself', itself, 'it is nested too deeply, or contains itself'],
])('a rule of Kyverno that holds %s is refused', async (_name, pattern, message) => {
  const resources = [policy([{ ...rule, validate: { pattern } }])];
  const { errors } = await prepareChain({ resources, clock, onErrors: 'report' });
  expect(errors).toEqual([{ resource: 'ClusterPolicy/p', message }]);
});

test('a policy of Kyverno whose kind is in another case is noted', async () => {
  const { cluster } = await prepareChain({ resources: [policy([], 'clusterPolicy')], clock });
  expect(cluster.notes).toMatchObject([{ resource: 'clusterPolicy/p' }]);
});

test.each([
  ['a user without name', { groups: [] }, 'admitObject: `user` has no `name`'],
  ['a name for a user', 'jane', 'admitObject: `user` must be an object, got the string "jane"'],
  [
    'a group for a list of groups',
    { name: 'a', groups: 'b' },
    '`groups` must be a list, got the string "b"',
  ],
  [
    'a group that is no text',
    { name: 'a', groups: ['b', 1] },
    '`groups[1]` must be a string, got the number 1',
  ],
  [
    'a text in `extra`',
    { name: 'a', extra: { scopes: 'b' } },
    'a list of strings as `scopes`, got the string "b"',
  ],
  [
    'a number in `extra`',
    { name: 'a', extra: { scopes: [1] } },
    '`scopes[0]` must be a string, got the number 1',
  ],
])('%s is a TypeError', (_name, user, message) => {
  expect(() => admitObject(empty, pod, { user: user as never })).toThrow(TypeError);
  expect(() => admitObject(empty, pod, { user: user as never })).toThrow(message);
});

test.each([
  ['a Date', new Date(0), 'an object of the class Date (expected plain JSON data)'],
  ['a Promise', Promise.resolve(0), 'a Promise (await it)'],
  ['a text', '2026-01-01T00:00:00Z', 'the string "2026-01-01T00:00:00Z"'],
  ['no number', Number.NaN, 'the number NaN'],
  ['seconds times a million', 1e18, 'the number 1000000000000000000'],
])('a clock that gives %s is told of', async (_name, time, what) => {
  const expected = `\`clock\` must return milliseconds since 1970, as \`Date.now\` does, got ${what}`;
  await expect(prepareChain({ resources: [], clock: () => time as never })).rejects.toThrow(
    new TypeError(expected),
  );
  let current: unknown = 0;
  const chain = await prepareChain({ resources: [], clock: () => current as never });
  current = time;
  expect(admitObject(chain, pod)).toMatchObject({
    allowed: false,
    failure: expect.stringContaining(expected),
  });
});
