// Measures the cost of writing one policy, binding, parameter or definition, with the next request, which loads it,
// beside 100 and beside 10,000 policies:
//   pnpm --filter @kubeadmit/apiserver... build && node bench/policy-writes.js

import { compareSizes, dryRun, patch, post, startServer } from './in-process.js';

const group = '/apis/admissionregistration.k8s.io/v1';
const sizes = [100, 10_000];

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };

const servers = await Promise.all(sizes.map((size) => start(size)));
const changes = {
  'a policy, about pods': (i) =>
    patch(`${group}/validatingadmissionpolicies/pods`, policy('pods', 'pods', i)),
  'a policy, about services': (i) =>
    patch(`${group}/validatingadmissionpolicies/n7`, policy('n7', 'services', i)),
  'a binding': (i) => patch(`${group}/validatingadmissionpolicybindings/n7`, binding('n7', i)),
  'a parameter': (i) => patch('/api/v1/namespaces/default/configmaps/c7', parameter('c7', i)),
  'labels of a namespace': (i) => patch('/api/v1/namespaces/other', namespace('other', i)),
  'a definition': (i) =>
    patch(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com',
      definition(i),
    ),
};
const works = Object.entries(changes).map(([name, change]) => [
  name,
  async (send, i) => {
    await send(change(i));
    await send(dryRun('/api/v1/namespaces/default/pods', pod));
    await send(dryRun('/api/v1/namespaces/other/secrets', secret));
  },
]);
await compareSizes('policies', sizes, servers, Object.fromEntries(works));
process.exit();

async function start(size) {
  const send = await startServer();
  await send(post('/api/v1/namespaces', namespace('other', 0)));
  await send(post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(0)));
  for (let i = 0; i < size; i++) {
    await send(post('/api/v1/namespaces/default/configmaps', parameter(`c${i}`, 0)));
    await send(post(`${group}/validatingadmissionpolicies`, policy(`n${i}`, 'services', 0)));
    await send(post(`${group}/validatingadmissionpolicybindings`, binding(`n${i}`, 0)));
  }
  await send(post(`${group}/validatingadmissionpolicies`, policy('pods', 'pods', 0)));
  await send(post(`${group}/validatingadmissionpolicybindings`, binding('pods', 0)));
  return send;
}

function policy(name, resources, count) {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: [resources],
  };
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      ...(resources === 'pods' ? { paramKind } : {}),
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: `object.metadata.name != 'x${count}'` }],
    },
  };
}

function binding(policyName, count) {
  const paramRef = { name: 'c7', namespace: 'default', parameterNotFoundAction: 'Deny' };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: policyName, labels: { count: String(count) } },
    spec: {
      policyName,
      validationActions: [count % 2 === 0 ? 'Deny' : 'Warn'],
      ...(policyName === 'pods' ? { paramRef } : {}),
    },
  };
}

function parameter(name, count) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { count: String(count) },
  };
}

function namespace(name, count) {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { count: String(count) } },
  };
}

function definition(count) {
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [`f${count}`]: { type: 'string' } } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
