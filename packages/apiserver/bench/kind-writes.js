// Measures the cost of writing one role, binding or definition, with the next request, which loads it, beside few and
// beside many objects:
//   pnpm --filter @kubeadmit/apiserver... build && node bench/kind-writes.js

import { compareSizes, dryRun, patch, post, startServer } from './in-process.js';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ann = { username: 'ann', groups: ['system:authenticated'] };
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };

const roles = [100, 10_000];
await compareSizes('roles and bindings', roles, await Promise.all(roles.map(startWithRoles)), {
  'a role': (send, i) => followed(send, patch(`${rbac}/namespaces/n7/roles/own`, role(i)), 'n7'),
  'a binding': (send, i) =>
    followed(send, patch(`${rbac}/namespaces/n7/rolebindings/own`, binding(i)), 'n7'),
  'a role of the cluster': (send, i) =>
    followed(send, patch(`${rbac}/clusterroles/r7`, clusterRole(7, i)), 'n7'),
});
console.log('');
const kinds = [100, 2000];
await compareSizes('definitions', kinds, await Promise.all(kinds.map(startWithDefinitions)), {
  'a definition': async (send, i) => {
    await send(patch(`${definitions}/things7.g0.example.com`, definition(7, i)));
    await send(dryRun('/apis/g0.example.com/v1/namespaces/default/things7', thing(7, i)));
    await send(dryRun('/apis/g0.example.com/v1/namespaces/default/things8', thing(8, 0)));
  },
});
process.exit();

async function followed(send, write, namespace) {
  await send(write);
  await send(dryRun(`/api/v1/namespaces/${namespace}/configmaps`, map), ann);
}

async function startWithRoles(size) {
  const send = await startServer();
  for (let i = 0; i < 100; i++) {
    await send(post('/api/v1/namespaces', { metadata: { name: `n${i}` } }));
    await send(post(`${rbac}/namespaces/n${i}/roles`, role(0)));
    await send(post(`${rbac}/namespaces/n${i}/rolebindings`, binding(0)));
  }
  for (let i = 0; i < size; i++) {
    await send(post(`${rbac}/clusterroles`, clusterRole(i, 0)));
    await send(post(`${rbac}/namespaces/n${i % 100}/rolebindings`, otherBinding(i)));
  }
  return send;
}

async function startWithDefinitions(size) {
  const send = await startServer();
  for (let i = 0; i < size; i++) await send(post(definitions, definition(i, 0)));
  for (const i of [7, 8]) await served(send, i);
  return send;
}

/** Waits until the controller has established a definition. */
async function served(send, i) {
  const path = `/apis/g0.example.com/v1/namespaces/default/things${i}`;
  for (let attempt = 0; attempt < 6000; attempt++) {
    const isServed = await send(dryRun(path, thing(i, 0))).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${path} is not served`);
}

function role(count) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'own' },
    rules: [{ apiGroups: [''], resources: ['configmaps', `r${count}`], verbs: ['create'] }],
  };
}

function binding(count) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'own', labels: { count: String(count) } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'own' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
  };
}

function clusterRole(i, count) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `r${i}` },
    rules: [{ apiGroups: [''], resources: [`r${count}`], verbs: ['create'] }],
  };
}

function otherBinding(i) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `r${i}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `r${i}` },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `u${i}` }],
  };
}

function definition(i, count) {
  const group = `g${Math.floor(i / 10)}.example.com`;
  const field = { type: 'string', maxLength: 10 };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [`f${count}`]: field } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things${i}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: `things${i}`,
        singular: `thing${i}`,
        kind: `Thing${i}`,
        listKind: `Thing${i}List`,
      },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function thing(i, count) {
  return {
    apiVersion: 'g0.example.com/v1',
    kind: `Thing${i}`,
    metadata: { name: 't' },
    spec: { [`f${count}`]: 'x' },
  };
}
