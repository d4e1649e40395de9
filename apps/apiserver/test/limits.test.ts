import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent } from 'node:https';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clientCertificateOf } from '../src/authentication/client-certificate.ts';
import type { RunningApiServer } from '../src/index.ts';
import { administrator, ask, send, startForTest } from './running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

function useFakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

function session(server: RunningApiServer) {
  const opened = connect(server.url, { ca: server.certificateAuthority, servername: 'localhost' });
  onTestFinished(() => opened.destroy());
  opened.on('error', () => {});
  return opened;
}

async function metricsOf(server: RunningApiServer): Promise<string> {
  const { body } = await send(server, { path: '/metrics', ...administrator(server) });
  return body.toString();
}

test('a connection of HTTP/2 without requests is closed after 90 seconds', async () => {
  const server = await startForTest();
  useFakeTimeouts();
  const [idle, used] = [session(server), session(server)];
  await Promise.all([once(idle, 'connect'), once(used, 'connect')]);
  // The server knows the connection as soon as it answers a request.
  const stream = used.request({ ':path': '/livez' });
  stream.resume();
  await once(stream, 'close');
  const closed = [once(idle, 'close'), once(used, 'close')];
  await vi.advanceTimersByTimeAsync(89_000);
  expect(used.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all(closed);
});

test('a client that does not read its answer is disconnected after a minute', async () => {
  const server = await startForTest();
  const data = { a: 'x'.repeat(900_000) };
  for (let at = 0; at < 20; at++) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${at}` }, data };
    await ask(server, { method: 'POST', path: configMaps, object });
  }
  useFakeTimeouts();
  const socket: TLSSocket = connectTls({
    port: Number(new URL(server.url).port),
    ca: server.certificateAuthority,
    servername: 'localhost',
    ...administrator(server),
  });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET ${configMaps} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  // The request for the metrics is one.
  const inFlight = async (): Promise<string | undefined> =>
    /apiserver_current_inflight_requests\{request_kind="readOnly"\} (\d+)/.exec(
      await metricsOf(server),
    )?.[1];
  await vi.waitFor(async () => expect(await inFlight()).toBe('2'));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await inFlight()).toBe('2');
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.waitFor(async () => expect(await inFlight()).toBe('1'));
});

test('paths that a client makes up take no place in the metrics', async () => {
  const server = await startForTest();
  const as = administrator(server);
  for (let at = 0; at < 20; at++) {
    await send(server, { path: `/api/v1/made-up-${at}` });
    await send(server, { path: `/apis/g${at}.made-up/v1/things`, ...as });
    await send(server, { path: `/api/v1/pods/p/made-up-${at}`, ...as });
    await send(server, { method: 'PUT', path: `/api/made-up-${at}/pods`, ...as });
  }
  await send(server, { path: configMaps });
  const text = await metricsOf(server);
  expect(text).not.toContain('made-up');
  expect(text).toMatch(/apiserver_request_total\{verb="LIST",.*resource="configmaps",.*403"\} 1\n/);
  expect(text).toMatch(/apiserver_request_total\{verb="LIST",.*resource="",.*code="404"\} 20\n/);
});

test('a connection of an expired certificate has no user', async () => {
  const server = await startForTest();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const list = () => send(server, { path: configMaps, ...administrator(server) }, agent);
  expect((await list()).code).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 365 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await list()).code).toBe(401);
});

test('the last common name of a certificate is its user, as in kube-apiserver', () => {
  const subject = { CN: ['alice', 'admin'], O: ['a', 'b,system:masters'] };
  const dates = { valid_from: 'Jan  1 00:00:00 2026 GMT', valid_to: 'Jan  1 00:00:00 2027 GMT' };
  const socket = {
    authorized: true,
    getPeerCertificate: () => ({ subject, raw: Buffer.from('x'), ...dates }),
  } as unknown as TLSSocket;
  expect(clientCertificateOf(socket, Date.parse('2026-06-01'))?.user).toMatchObject({
    username: 'admin',
    groups: ['a', 'b,system:masters'],
  });
  expect(clientCertificateOf(socket, Date.parse('2025-12-31'))).toEqual({});
});
