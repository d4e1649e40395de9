import type { Ask } from '@kubeadmit/apiserver-tools';
import { expect, test } from 'vitest';
import { startLocalServer } from './local-server.ts';

const json = { 'content-type': 'application/json' };
const policies = '/apis/admissionregistration.k8s.io/v1';

function asker(ask: Ask) {
  return async (method: string, path: string, body?: object, contentType?: string) => {
    const headers = contentType === undefined ? json : { 'content-type': contentType };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status } = await ask({ method, path, headers, as: 'admin', ...text });
    return status;
  };
}

function denial(name: string, spec: object) {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['secrets'],
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: 'false' }],
      ...spec,
    },
  };
}

function bindingOf(policyName: string, spec: object = {}) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: policyName },
    spec: { policyName, validationActions: ['Deny'], ...spec },
  };
}

function secret(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
}

test('policies select a namespace by its new labels after a change', async () => {
  const { ask, server } = await startLocalServer();
  const send = asker(ask);
  const selector = { namespaceSelector: { matchLabels: { env: 'live' } } };
  const constraints = { ...denial('live', {}).spec.matchConstraints, ...selector };
  await send(
    'POST',
    `${policies}/validatingadmissionpolicies`,
    denial('live', { matchConstraints: constraints }),
  );
  await send('POST', `${policies}/validatingadmissionpolicybindings`, bindingOf('live'));
  const secrets = '/api/v1/namespaces/default/secrets';
  expect(await send('POST', secrets, secret('a'))).toBe(201);
  const merge = 'application/merge-patch+json';
  const labelled = (env: string | null) => ({ metadata: { labels: { env } } });
  expect(await send('PATCH', '/api/v1/namespaces/default', labelled('live'), merge)).toBe(200);
  expect(await send('POST', secrets, secret('b'))).toBe(422);
  expect(await send('PATCH', '/api/v1/namespaces/default', labelled(null), merge)).toBe(200);
  expect(await send('POST', secrets, secret('b'))).toBe(201);
  await server.close();
});

test('no request overtakes the parameters of a policy that was just made', async () => {
  const { ask, server } = await startLocalServer();
  const send = asker(ask);
  for (let i = 0; i < 20; i++) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `limit${i}` },
      data: { n: '0' },
    };
    expect(await send('POST', '/api/v1/namespaces/default/configmaps', object)).toBe(201);
  }
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [{ expression: "params.data.n != '0'" }];
  const paramRef = { selector: {}, parameterNotFoundAction: 'Allow' };
  await send(
    'POST',
    `${policies}/validatingadmissionpolicybindings`,
    bindingOf('limit', { paramRef }),
  );
  await send(
    'POST',
    `${policies}/validatingadmissionpolicies`,
    denial('limit', { paramKind, validations }),
  );
  const secrets = '/api/v1/namespaces/default/secrets';
  const statuses = await Promise.all(
    Array.from({ length: 8 }, (_, i) => send('POST', secrets, secret(`s${i}`))),
  );
  expect(statuses).toEqual(statuses.map(() => 422));
  await server.close();
});
