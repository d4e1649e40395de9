import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import { folderUntil, listen, parseLines } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { healthAnswer } from '../src/operation/health.ts';
import { administrator, ask, send, startForTest } from './running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';

test('the audit log contains users and requests, and no secrets', async () => {
  const path = join(folderUntil(onTestFinished), 'audit.log');
  const server = await startForTest({ auditLog: { path, level: 'RequestResponse' } });
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    stringData: { a: 'hidden' },
  };
  await ask(server, { method: 'POST', path: secrets, object });
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r' },
    rules: [],
  };
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  await ask(server, {
    method: 'POST',
    path: roles,
    object: role,
    headers: { 'user-agent': 'tester/1' },
  });
  await ask(server, { path: `${configMaps}/nope` });
  await server.close();
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain('hidden');
  expect(text).not.toContain('aGlkZGVu');
  const events = parseLines<object>(text);
  expect(events[0]).toMatchObject({
    level: 'Metadata',
    objectRef: { resource: 'secrets', name: 's' },
  });
  expect(events[1]).toMatchObject({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    stage: 'ResponseComplete',
    requestURI: roles,
    verb: 'create',
    user: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    userAgent: 'tester/1',
    objectRef: {
      resource: 'clusterroles',
      apiGroup: 'rbac.authorization.k8s.io',
      apiVersion: 'v1',
    },
    requestObject: { kind: 'ClusterRole', metadata: { name: 'r' } },
    responseObject: { kind: 'ClusterRole', metadata: { name: 'r' } },
    responseStatus: { code: 201 },
  });
  expect(events[2]).toMatchObject({
    responseStatus: { status: 'Failure', reason: 'NotFound', code: 404 },
  });
});

test('lists all health checks on request, and failed checks always', async () => {
  const well = { name: 'ping', problem: () => undefined };
  const broken = { name: 'etcd', problem: async () => 'no space left on device' };
  const answer = async (target: string): Promise<string | undefined> => {
    const [path = '', query = ''] = target.split('?');
    const checks = { livez: [well], readyz: [well, broken] };
    const found = await healthAnswer(path, new URLSearchParams(query), checks);
    return found?.body.type === 'text' ? `${found.status} ${found.body.text}` : undefined;
  };
  expect(await answer('/livez')).toBe('200 ok');
  expect(await answer('/livez?verbose')).toBe('200 [+]ping ok\nlivez check passed\n');
  expect(await answer('/readyz')).toBe(
    '500 [+]ping ok\n[-]etcd failed: no space left on device\nreadyz check failed\n',
  );
  expect(await answer('/readyz?exclude=etcd')).toBe('200 ok');
  expect(await answer('/readyz/ping')).toBe('200 ok');
  expect(await answer('/readyz/nope')).toBe('404 404 page not found\n');
  expect(await answer('/readyzz')).toBeUndefined();
});

test('calls registered webhooks and applies their answers', async () => {
  const authority = await makeAuthority('test', { now: Date.now() });
  const subject = { type: 'server', commonName: 'server', names: ['127.0.0.1'] } as const;
  const { certificate: cert, key } = await makeCertificate(authority, subject, { now: Date.now() });
  const webhook = createServer({ cert, key }, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const review = JSON.parse(Buffer.concat(parts).toString());
    const { uid, object } = review.request;
    const allowed = object.data?.color !== 'red';
    const status = { message: 'no red', code: 403 };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ ...review, request: undefined, response: { uid, allowed, status } }),
    );
  });
  const port = await listen(webhook);
  onTestFinished(() => void webhook.close());
  const server = await startForTest();
  const registered = await ask(server, {
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'colors' },
      webhooks: [
        {
          name: 'colors.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(authority.certificate).toString('base64'),
          },
          rules: [
            {
              apiGroups: [''],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['configmaps'],
            },
          ],
        },
      ],
    },
  });
  expect(registered.code).toBe(201);
  const create = (name: string, color: string) =>
    ask(server, {
      method: 'POST',
      path: configMaps,
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { color } },
    });
  expect((await create('a', 'blue')).code).toBe(201);
  const denied = await create('b', 'red');
  expect(denied.code).toBe(403);
  expect(denied.object['message']).toBe(
    'admission webhook "colors.example.com" denied the request: no red',
  );
  webhook.close();
  webhook.closeAllConnections();
  const failed = await create('c', 'blue');
  expect(failed.code).toBe(500);
  expect(failed.object['message']).toMatch(
    /^Internal error occurred: failed calling webhook "colors.example.com": failed to call webhook: Post "https:\/\/127\.0\.0\.1:\d+\/\?timeout=10s": /,
  );
});

test('the metrics count the evaluations, exemptions and errors of PodSecurity', async () => {
  const server = await startForTest();
  const pods = '/api/v1/namespaces/checked/pods';
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'checked',
      labels: {
        'pod-security.kubernetes.io/enforce': 'baseline',
        'pod-security.kubernetes.io/enforce-version': 'v1.30',
        'pod-security.kubernetes.io/warn': 'restricted',
      },
    },
  };
  await ask(server, { method: 'POST', path: '/api/v1/namespaces', object: namespace });
  const pod = (hostNetwork: boolean) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { hostNetwork, containers: [{ name: 'c', image: 'i' }] },
  });
  expect((await ask(server, { method: 'POST', path: pods, object: pod(true) })).code).toBe(403);
  expect((await ask(server, { method: 'POST', path: pods, object: pod(false) })).code).toBe(201);
  const { body } = await send(server, { path: '/metrics', ...administrator(server) });
  const counted = body
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('pod_security_'));
  const request = 'request_operation="create",resource="pod",subresource=""';
  expect(counted).toEqual(
    expect.arrayContaining([
      `pod_security_evaluations_total{decision="deny",policy_level="baseline",policy_version="v1.30",mode="enforce",${request}} 1`,
      `pod_security_evaluations_total{decision="allow",policy_level="baseline",policy_version="v1.30",mode="enforce",${request}} 1`,
      `pod_security_evaluations_total{decision="deny",policy_level="restricted",policy_version="latest",mode="warn",${request}} 1`,
      `pod_security_exemptions_total{${request}} 0`,
    ]),
  );
});
