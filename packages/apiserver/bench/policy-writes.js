// Measures what a write of one policy, binding, parameter or definition costs, with the request after it that takes it
// in, beside 100 and beside 10,000 policies:
//
//   pnpm --filter @kubeadmit/apiserver... build && node bench/policy-writes.js

import { createApiServer, MemoryStore } from '@kubeadmit/apiserver';
import { loadSchemas } from '@kubeadmit/schemas';

const schemas = await loadSchemas();
const group = '/apis/admissionregistration.k8s.io/v1';
const sizes = [100, 10_000];
const rounds = 3;
const writes = 40;
const contentTypes = { POST: 'application/json', PATCH: 'application/merge-patch+json' };

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
console.log(
  `| processor time of a write of | ${sizes.map((size) => `${size} policies, ms`).join(' | ')} | ratio |`,
);
console.log(`| --- | ${sizes.map(() => '---: | ').join('')}---: |`);
for (const [name, change] of Object.entries(changes)) {
  const times = sizes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of servers.entries()) times[at].push(await measure(server, change));
  }
  const middles = times.map((each) => each.sort((a, b) => a - b)[rounds >> 1]);
  const ratio = middles.at(-1) / middles[0];
  console.log(
    `| ${name} | ${middles.map((time) => time.toFixed(2)).join(' | ')} | ${ratio.toFixed(2)} |`,
  );
}
process.exit();

async function start(size) {
  const server = createApiServer({
    store: new MemoryStore(),
    schemas,
    kubernetesVersion: '1.37.1',
    clock: {
      now: () => Date.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
    },
    randomUid: () => crypto.randomUUID(),
    tokens: {
      issue: async () => ({ token: '', expirationTimestamp: '' }),
      certificateAuthority: '',
    },
  });
  await server.ready;
  const send = sender(server);
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

/** Processor time of one write and of the requests after it, in milliseconds. */
async function measure(send, change) {
  const before = process.cpuUsage();
  for (let i = 0; i < writes; i++) {
    await send(change(i + 1));
    await send(dryRun('/api/v1/namespaces/default/pods', pod));
    await send(dryRun('/api/v1/namespaces/other/secrets', secret));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / writes;
}

function sender(server) {
  const user = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
  return async ({ method, path, query, object }) => {
    const response = await server.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { 'content-type': contentTypes[method] },
      readBody: async () => ({ bytes: new TextEncoder().encode(JSON.stringify(object)) }),
      user,
    });
    if (response.status < 300) return;
    throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
  };
}

function post(path, object) {
  return { method: 'POST', path, query: '', object };
}

function patch(path, object) {
  return { method: 'PATCH', path, query: '', object };
}

function dryRun(path, object) {
  return { method: 'POST', path, query: 'dryRun=All', object };
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
