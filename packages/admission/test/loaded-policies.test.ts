import { ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { beforeEach, expect, test, vi } from 'vitest';
import { admit, type Cluster, loadCluster } from '../src/index.ts';
import { deployment, labelling, namespace, replicaLimit, request } from './examples.ts';

const schemas = await loadSchemas();
const compile = vi.spyOn(ValueEnvironment.prototype, 'compile');

beforeEach(() => {
  compile.mockClear();
});

type Resources = readonly Record<string, unknown>[];

function load(resources: readonly object[], previous?: Cluster, kubernetesVersion?: string) {
  return loadCluster({
    resources: resources as Resources,
    schemas,
    previous,
    kubernetesVersion,
    onErrors: 'report',
  });
}

function answer(cluster: Cluster, replicas: number) {
  const outcome = admit(cluster, request(deployment(replicas)));
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
  return outcome.response;
}

const { policy, binding, parameter } = replicaLimit(3);
const labels = labelling("'ann'");
const all = [namespace, policy, binding, parameter, ...labels];

test('unchanged policies are not compiled again', () => {
  const first = load(all);
  const before = answer(first, 5);
  expect(compile).toHaveBeenCalled();
  compile.mockClear();
  const second = load(all, first);
  expect(answer(second, 5)).toEqual(before);
  const third = load(structuredClone(all), second);
  expect(answer(third, 5)).toEqual(before);
  expect(compile).not.toHaveBeenCalled();
});

test('only new policies are compiled', () => {
  const first = load(all);
  answer(first, 5);
  compile.mockClear();
  const changed = [namespace, policy, binding, parameter, ...labelling("'bob'")];
  const second = load(changed, first);
  answer(second, 5);
  // Once for the created object and once for the stored object.
  expect(compile.mock.calls.map(([expression]) => expression)).toEqual([
    expect.stringContaining("'bob'"),
    expect.stringContaining("'bob'"),
  ]);
  expect(admit(second, request(deployment(1)))).toMatchObject({
    object: { metadata: { labels: { owner: 'bob' } } },
  });
});

test('an object that is edited is a new one', () => {
  const edited = structuredClone(policy) as unknown as { spec: { validations: object[] } };
  const first = load([namespace, edited, binding, parameter]);
  edited.spec.validations = [{ expression: 'true' }];
  expect(answer(first, 5).allowed).toBe(false);
  const second = load([namespace, edited, binding, parameter], first);
  expect(answer(second, 5).allowed).toBe(true);
});

test('policies, bindings and parameters come and go', () => {
  const first = load(all);
  expect(answer(first, 5).allowed).toBe(false);
  const without = load([namespace, policy, parameter], first);
  expect(answer(without, 5)).toEqual({ uid: 'u', allowed: true });
  const again = load([namespace, policy, binding, replicaLimit(9).parameter], without);
  expect(answer(again, 5).allowed).toBe(true);
  expect(answer(again, 10).allowed).toBe(false);
});

test('a rejected policy stays rejected', () => {
  const broken = { ...policy, spec: { ...(policy as { spec: object }).spec, failurePolicy: 'X' } };
  const first = load([broken, binding]);
  expect(first.errors).toHaveLength(1);
  compile.mockClear();
  expect(load([broken, binding], first).errors).toEqual(first.errors);
  expect(compile).not.toHaveBeenCalled();
});

test('compiles again for another server version', () => {
  const first = load(all, undefined, '1.36');
  compile.mockClear();
  load(all, first, '1.37');
  expect(compile).toHaveBeenCalled();
});
