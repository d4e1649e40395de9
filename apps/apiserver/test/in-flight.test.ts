import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { isWatch } from '@kubeadmit/apiserver';
import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HttpRequest } from '../src/http/exchange.ts';
import { InFlight } from '../src/http/in-flight.ts';
import { readBody } from '../src/http/read-body.ts';
import { startForTest } from './running-server.ts';

const account = (namespace: string, name: string) => ({
  username: `system:serviceaccount:${namespace}:${name}`,
});
const admin = { username: 'admin', groups: ['system:masters'] };

test('a user may use a third of the requests, however many service accounts they have', () => {
  const inFlight = new InFlight();
  const taken = Array.from({ length: 300 }, (_, at) => {
    const turn = inFlight.begin();
    return { turn, isTaken: turn.take(account('shop', `a${at}`)) };
  });
  expect(taken.filter(({ isTaken }) => isTaken)).toHaveLength(200);
  const other = inFlight.begin();
  expect(other.take(account('bank', 'a'))).toBe(true);
  for (const { turn } of taken) turn.end();
  expect(inFlight.begin().take(account('shop', 'a'))).toBe(true);
});

test('large requests of a user are answered one after the other, and block no other user', async () => {
  const inFlight = new InFlight();
  const turns = ['shop', 'shop', 'bank'].map((namespace, at) => {
    const turn = inFlight.begin();
    turn.take(account(namespace, `a${at}`));
    return turn;
  });
  const ready: number[] = [];
  const waiting = turns.map((turn, at) => turn.waitForOwn().then(() => ready.push(at)));
  await Promise.all([waiting[0], waiting[2]]);
  expect(ready).toEqual([0, 2]);
  turns[0]?.end();
  await waiting[1];
  expect(ready).toEqual([0, 2, 1]);
});

test('all users together have a limit, and administrators have none', () => {
  const inFlight = new InFlight();
  const users = Array.from({ length: 700 }, (_, at) =>
    inFlight.begin().take({ username: `u${at}` }),
  );
  expect(users.filter((isTaken) => isTaken)).toHaveLength(600);
  for (let i = 0; i < 700; i++) expect(inFlight.begin().take(admin)).toBe(true);
});

test.each([
  ['GET', '/api/v1/pods', 'watch=true', true],
  ['GET', '/api/v1/watch/pods', '', true],
  ['GET', '/api/v1/pods', 'watch=false', false],
  ['GET', '/api/v1/namespaces/a/pods/b', 'watch=true', false],
  ['GET', '/api/v1/namespaces/a/pods/b/log', 'watch=true', false],
  ['GET', '/openapi/v2', 'watch=true', false],
  ['GET', '/api', 'watch=true', false],
  ['POST', '/api/v1/pods', 'watch=true', false],
  ['POST', '/api/v1/watch/pods', '', false],
  ['CONNECT', '/api/v1/pods', 'watch=true', false],
])('%s %s?%s is a watch, which is not counted: %s', (method, path, query, expected) => {
  expect(isWatch(method, path, new URLSearchParams(query))).toBe(expected);
});

const slowRequests = 300;

function open(session: ClientHttp2Session, token: string, path: string, method: string) {
  const stream = session.request({
    ':method': method,
    ':path': path,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  stream.on('error', () => {});
  const status = once(stream, 'response').then(([headers]) => Number(headers[':status']));
  return { stream, status };
}

// HTTP/2 allows 1,000 at once on one connection.
test.each(['', '?watch=true'])(
  'the slow requests of a user leave room for others (query %j)',
  async (query) => {
    const tokens = 'slow-token,slow,1\nother-token,other,2\n';
    const tokenFile = join(folderUntil(onTestFinished, { 'tokens.csv': tokens }), 'tokens.csv');
    const server = await startForTest({ tokenFile });
    const session = connect(server.url, {
      ca: server.certificateAuthority,
      servername: 'localhost',
    });
    onTestFinished(() => session.destroy());
    session.on('error', () => {});
    const path = `/apis/authorization.k8s.io/v1/selfsubjectaccessreviews${query}`;
    const slow = Array.from({ length: slowRequests }, () =>
      open(session, 'slow-token', path, 'POST'),
    );
    const refused = slow.map(({ status }) => status.catch(() => 0));
    for (const { stream } of slow) stream.write('{');
    // The last ones are over the limit of the user.
    expect(await refused.at(-1)).toBe(429);
    expect(await open(session, 'other-token', '/api', 'GET').status).toBe(200);
  },
);

test('a body has to arrive within a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const request = Object.assign(new PassThrough(), { headers: {} });
  const read = readBody(request as unknown as HttpRequest);
  const failed = expect(read).rejects.toThrow('did not arrive in time');
  for (let second = 0; second < 60; second++) {
    request.write('{');
    await vi.advanceTimersByTimeAsync(1000);
  }
  await failed;
  expect(request.destroyed).toBe(true);
});
