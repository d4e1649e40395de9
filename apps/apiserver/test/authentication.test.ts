import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RunningApiServer } from '../src/index.ts';
import { administrator, ask, send, startForTest } from './running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('users of requests', () => {
  test('lets anonymous users read only health and version', async () => {
    const server = await startForTest();
    expect((await send(server, { path: '/version' })).code).toBe(200);
    expect((await send(server, { path: '/livez' })).body.toString()).toBe('ok');
    const answer = await send(server, { path: configMaps });
    expect(answer.code).toBe(403);
    expect(JSON.parse(answer.body.toString()).message).toBe(
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
  });

  test('rejects an unknown token', async () => {
    const server = await startForTest();
    const answer = await send(server, { path: '/api', headers: { authorization: 'Bearer x' } });
    expect(answer.code).toBe(401);
    expect(JSON.parse(answer.body.toString())).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
  });

  test('authenticates a user of the token file with groups', async () => {
    const tokens = 'secret,"alice, the first",a-1,"developers, admins"\nplain,bob,b-1\n';
    const tokenFile = join(folderUntil(onTestFinished, { 'tokens.csv': tokens }), 'tokens.csv');
    const server = await startForTest({ tokenFile });
    const review = async (token: string): Promise<unknown> => {
      const answer = await send(server, {
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
      });
      return JSON.parse(answer.body.toString()).status.userInfo;
    };
    expect(await review('secret')).toEqual({
      username: 'alice, the first',
      uid: 'a-1',
      groups: ['developers', 'admins', 'system:authenticated'],
    });
    expect(await review('plain')).toEqual({
      username: 'bob',
      uid: 'b-1',
      groups: ['system:authenticated'],
    });
  });

  test('authenticates the administrator by certificate, and rejects certificates of other authorities', async () => {
    const [server, other] = await Promise.all([startForTest(), startForTest()]);
    expect((await ask(server, { path: configMaps })).code).toBe(200);
    const foreign = await send(server, { path: configMaps, ...administrator(other) });
    expect(foreign.code).toBe(401);
  });

  test('authenticates a service account by a requested token until the account is deleted', async () => {
    const server = await startForTest();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await ask(server, { method: 'POST', path: accounts, object: account });
    const { code, object } = await ask(server, {
      method: 'POST',
      path: `${accounts}/robot/token`,
      object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    expect(code).toBe(201);
    const { token } = object['status'] as { readonly token: string };
    const asRobot = () =>
      send(server, { path: configMaps, headers: { authorization: `Bearer ${token}` } });
    expect((await asRobot()).body.toString()).toContain(
      'User \\"system:serviceaccount:default:robot\\" cannot list resource',
    );
    await ask(server, { method: 'DELETE', path: `${accounts}/robot` });
    expect((await asRobot()).code).toBe(401);
  });
});

describe('tokens of service accounts', () => {
  const account = '/api/v1/namespaces/default/serviceaccounts/robot';
  const objects: Readonly<Record<string, object>> = {
    '/api/v1/namespaces/default/serviceaccounts': {
      kind: 'ServiceAccount',
      metadata: { name: 'robot', finalizers: ['example.com/wait'] },
    },
    '/api/v1/nodes': { kind: 'Node', metadata: { name: 'n1' } },
    '/api/v1/namespaces/default/secrets': { kind: 'Secret', metadata: { name: 'key' } },
    '/api/v1/namespaces/default/pods': {
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        serviceAccountName: 'robot',
        nodeName: 'n1',
        containers: [{ name: 'a', image: 'b' }],
      },
    },
  };

  async function start(): Promise<RunningApiServer> {
    const server = await startForTest({
      tokenFile: join(folderUntil(onTestFinished, { 'tokens.csv': 'plain,bob,1' }), 'tokens.csv'),
    });
    for (const [path, object] of Object.entries(objects)) {
      const made = { apiVersion: 'v1', ...object };
      expect((await ask(server, { method: 'POST', path, object: made })).code).toBe(201);
    }
    return server;
  }

  async function tokenFor(server: RunningApiServer, spec: object): Promise<string> {
    const apiVersion = 'authentication.k8s.io/v1';
    const object = { apiVersion, kind: 'TokenRequest', spec };
    const answer = await ask(server, { method: 'POST', path: `${account}/token`, object });
    return (answer.object['status'] as { readonly token: string }).token;
  }

  async function review(server: RunningApiServer, token: string, audiences?: readonly string[]) {
    const answer = await ask(server, {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      object: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token, audiences },
      },
    });
    return answer.object['status'] as Readonly<Record<string, unknown>>;
  }

  // As kube-apiserver 1.37 answers.
  test('a review finds a token valid for its own audiences only', async () => {
    const server = await start();
    const own = 'https://kubernetes.default.svc.cluster.local';
    const ofServer = await tokenFor(server, {});
    const ofOthers = await tokenFor(server, { audiences: ['vault', 'x'] });
    const valid = { authenticated: true };
    expect(await review(server, ofServer)).toMatchObject({ ...valid, audiences: [own] });
    expect(await review(server, ofOthers, ['x', 'y'])).toMatchObject({
      ...valid,
      audiences: ['x'],
    });
    expect(await review(server, 'plain')).toMatchObject({ ...valid, audiences: [own] });
    expect(await review(server, ofServer, ['vault'])).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["${own}"] is invalid for the target audiences ["vault"]]`,
    });
    expect(await review(server, ofOthers)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault" "x"] is invalid for the target audiences ["${own}"]]`,
    });
    const unknown = { user: {}, error: 'invalid bearer token' };
    expect(await review(server, 'plain', ['vault'])).toEqual(unknown);
    const headers = { authorization: `Bearer ${ofOthers}` };
    expect((await send(server, { path: configMaps, headers })).code).toBe(401);
  });

  test.each([
    ['Node', '/api/v1/nodes/n1', { 'node-name': ['n1'] }],
    ['Secret', '/api/v1/namespaces/default/secrets/key', {}],
    [
      'Pod',
      '/api/v1/namespaces/default/pods/web?gracePeriodSeconds=0',
      { 'node-name': ['n1'], 'pod-name': ['web'] },
    ],
  ])('a token that is bound to a %s ends with it', async (kind, path, extra) => {
    const server = await start();
    const name = /([^/]+?)(?:\?.*)?$/.exec(path)?.[1];
    const boundObjectRef = { kind, apiVersion: 'v1', name };
    const token = await tokenFor(server, { boundObjectRef });
    const named = Object.entries(extra).map(([key, value]) => [
      `authentication.kubernetes.io/${key}`,
      value,
    ]);
    expect(await review(server, token)).toMatchObject({
      user: { extra: Object.fromEntries(named) },
    });
    await ask(server, { method: 'DELETE', path });
    expect(await review(server, token)).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  test('a token ends a minute after its account was deleted, whatever finalizers do', async () => {
    const server = await start();
    const token = await tokenFor(server, {});
    await ask(server, { method: 'DELETE', path: account });
    expect(await review(server, token)).toMatchObject({ authenticated: true });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 62_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await review(server, token)).toEqual({ user: {}, error: 'invalid bearer token' });
  });
});
