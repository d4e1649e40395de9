import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AuthorizerAttributes } from '@kubeadmit/engine';
import { Random } from '@kubeadmit/random';
import { expect, test } from 'vitest';
import { ChangingPermissions } from '../src/changing-permissions.ts';
import { RbacAuthorizer } from '../src/rbac-authorizer.ts';

const names = ['a', 'b', 'ab', '\u{10000}', '\uffff'];
const namespaces = ['shop', 'bank'];
const verbs = ['get', 'list', '*'];
const users = ['ann', 'tom'];

function randomObject(random: Random): KubernetesObject {
  const kind = random.pick(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
  const namespace = kind.startsWith('Cluster') ? {} : { namespace: random.pick(namespaces) };
  const metadata = { name: random.pick(names), ...namespace };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  if (kind.endsWith('Role')) {
    const rule = { apiGroups: [''], resources: ['pods'], verbs: [random.pick(verbs)] };
    return { apiVersion, kind, metadata, rules: random.pick([[rule], []]) };
  }
  const roleKind = random.pick(['Role', 'ClusterRole', 'ClusterRole', 'Other']);
  const roleRef = {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: roleKind,
    name: random.pick(names),
  };
  return {
    apiVersion,
    kind,
    metadata,
    roleRef,
    subjects: [{ kind: 'User', name: random.pick(users) }],
  };
}

function keyOf({ kind, metadata }: KubernetesObject): string {
  return JSON.stringify([kind, metadata]);
}

const requests: readonly AuthorizerAttributes[] = users.flatMap((username) =>
  ['get', 'list'].flatMap((verb) =>
    [...namespaces, ''].map((namespace) => ({
      ...({ kind: 'resource', user: { username }, verb, group: '', resource: 'pods' } as const),
      ...{ subresource: '', namespace, name: '' },
    })),
  ),
);

test.each([1, 2, 3])('decides as if all had been there from the beginning (%i)', (seed) => {
  const random = new Random(seed);
  const permissions = new ChangingPermissions();
  const known = new Map<string, KubernetesObject>();
  for (let step = 0; step < 400; step++) {
    const object = randomObject(random);
    const before = known.get(keyOf(object));
    const after = before !== undefined && random.chance(0.5) ? undefined : object;
    permissions.change(before, after);
    if (after === undefined) known.delete(keyOf(object));
    else known.set(keyOf(object), after);
    const whole = new RbacAuthorizer([...known.values()]);
    for (const request of requests) {
      expect(permissions.authorize(request)).toEqual(whole.authorize(request));
    }
  }
  expect(known.size).toBeGreaterThan(5);
});
