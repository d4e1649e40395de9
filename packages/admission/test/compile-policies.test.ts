import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test, vi } from 'vitest';
import { admit, loadCluster } from '../src/index.ts';
import { compilePolicies } from '../src/internal.ts';

const schemas = await loadSchemas();
const apiVersion = 'admissionregistration.k8s.io/v1';

function policy(name: string): Readonly<Record<string, unknown>> {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['*'],
    resources: ['configmaps'],
  };
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: `object.metadata.name != '${name}'` }],
    },
  };
}

function binding(policyName: string): Readonly<Record<string, unknown>> {
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: policyName },
    spec: { policyName, validationActions: ['Deny'] },
  };
}

const request = {
  uid: '1',
  kind: { group: '', version: 'v1', kind: 'ConfigMap' },
  resource: { group: '', version: 'v1', resource: 'configmaps' },
  name: 'second',
  namespace: 'default',
  operation: 'CREATE',
  userInfo: { username: 'ada' },
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'second', namespace: 'default' },
  },
} as const;

test('no request compiles a policy after all policies with bindings were compiled', () => {
  const resources = ['first', 'second'].flatMap((name) => [policy(name), binding(name)]);
  const cluster = loadCluster({ resources: [...resources, policy('unbound')] as never, schemas });
  const compile = vi.spyOn(cluster.loaded.compilers, 'compile');
  expect([...compilePolicies(cluster)]).toHaveLength(2);
  expect(compile).toHaveBeenCalledTimes(2);
  expect(admit(cluster, request)).toMatchObject({ response: { allowed: false } });
  expect(compile).toHaveBeenCalledTimes(2);
});

test('policies of a previous cluster are not compiled again', () => {
  const resources = [policy('first'), binding('first')] as never[];
  const previous = loadCluster({ resources, schemas });
  for (const _ of compilePolicies(previous));
  const compile = vi.spyOn(previous.loaded.compilers, 'compile');
  const more = [...resources, policy('second'), binding('second')] as never;
  const cluster = loadCluster({ resources: more, schemas, previous });
  const before = compile.mock.calls.length;
  for (const _ of compilePolicies(cluster));
  expect(compile.mock.calls.length - before).toBe(1);
});
