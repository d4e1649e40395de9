import type { AuthorizerAttributes, AuthorizerUser } from '@kubeadmit/engine';
import { expect, test } from 'vitest';
import { RbacAuthorizer } from '../src/rbac-authorizer.ts';

const group = 'rbac.authorization.k8s.io';

function role(kind: string, name: string, rules: object[], more: object = {}) {
  return { apiVersion: `${group}/v1`, kind, metadata: { name, namespace: 'shop' }, rules, ...more };
}

function binding(kind: string, roleKind: string, name: string, subject: object) {
  const roleRef = { apiGroup: group, kind: roleKind, name };
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, namespace: 'shop' },
    roleRef,
    subjects: [subject],
  };
}

function user(name: string): object {
  return { kind: 'User', apiGroup: group, name };
}

const scaling = { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] };
const reading = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] };
const one = { apiGroups: [''], resources: ['pods'], verbs: ['*'], resourceNames: ['one'] };
const health = { nonResourceURLs: ['/healthz/*'], verbs: ['get'] };
const labels = { part: 'of-all' };

const authorizer = new RbacAuthorizer([
  role('Role', 'scaler', [scaling]),
  binding('RoleBinding', 'Role', 'scaler', user('ann')),
  role('ClusterRole', 'reader', [reading, health]),
  binding('ClusterRoleBinding', 'ClusterRole', 'reader', { kind: 'Group', name: 'readers' }),
  role('ClusterRole', 'one', [one]),
  binding('RoleBinding', 'ClusterRole', 'one', {
    kind: 'ServiceAccount',
    name: 'robot',
    namespace: 'shop',
  }),
  role('ClusterRole', 'part', [scaling], { metadata: { name: 'part', labels } }),
  role('ClusterRole', 'all', [], {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
  }),
  binding('ClusterRoleBinding', 'ClusterRole', 'all', user('tom')),
]);

const robot = 'system:serviceaccount:shop:robot';
const scale = { verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale' };
const pod = { verb: 'delete', group: '', resource: 'pods' };

type ResourceAttributes = Extract<AuthorizerAttributes, { kind: 'resource' }>;
type Case = [string, Partial<ResourceAttributes>, boolean];

function resource(username: string, asked: Partial<ResourceAttributes>): ResourceAttributes {
  const who: AuthorizerUser = { username, groups: username === 'eve' ? ['readers'] : [] };
  return {
    kind: 'resource',
    user: who,
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource: '',
    namespace: 'shop',
    name: '',
    ...asked,
  };
}

test.each<Case>([
  ['ann', scale, true],
  ['ann', { ...scale, namespace: 'other' }, false],
  ['ann', { ...scale, subresource: '' }, false],
  ['ann', {}, false],
  ['eve', {}, true],
  ['eve', { namespace: '', group: 'apps' }, true],
  ['eve', pod, false],
  [robot, { ...pod, name: 'one' }, true],
  [robot, { ...pod, name: 'two' }, false],
  [robot, { ...pod, name: 'one', namespace: 'other' }, false],
  ['tom', scale, true],
])('%s %j: %j', (name, asked, allowed) => {
  const { decision } = authorizer.authorize(resource(name, asked));
  expect(decision).toBe(allowed ? 'allow' : 'no-opinion');
});

test.each([
  ['readers', '/healthz/ready', 'allow'],
  ['readers', '/metrics', 'no-opinion'],
  ['system:masters', '/metrics', 'allow'],
])('%s and %s: %s', (name, path, expected) => {
  const asking = { username: 'x', groups: [name] };
  const { decision } = authorizer.authorize({ kind: 'path', user: asking, verb: 'get', path });
  expect(decision).toBe(expected);
});
