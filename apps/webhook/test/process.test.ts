import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain, createServer } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { folderUntil, freePort, listen, runProgram } from '@kubeadmit/test-support';
import { afterAll, describe, expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { program, startProcess } from './harness/process.ts';
import { configMapReview } from './harness/reviews.ts';

const folder = folderUntil(afterAll, { 'policy.yaml': validatingPolicy('policy', 'true') });
const policy = join(folder, 'policy.yaml');
const start = (options: readonly string[]) => startProcess(folder, options);

/** Sends the head of a request and half of its body. */
function halfRequest(
  port: number,
  text: string,
): {
  readonly call: ClientRequest;
  readonly code: Promise<number>;
  readonly body: Promise<string>;
} {
  const ca = readFileSync(join(folder, 'tls/ca.crt'));
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const call = request({
    host: '127.0.0.1',
    port,
    path: '/validate',
    method: 'POST',
    headers,
    ca,
    agent: new Agent(),
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
  const body = response.then(textOf);
  const code = Promise.all([response, body]).then(([{ statusCode = 0 }]) => statusCode);
  body.catch(() => undefined);
  code.catch(() => undefined);
  call.write(text.slice(0, 100));
  return { call, code, body };
}

const review = configMapReview();

describe.each([1, 2])('after SIGTERM, %d process(es)', (workers) => {
  test('answers requests in progress, and exits with 0 despite idle connections', async () => {
    const started = await start(['--shutdown-delay', '5', '--workers', String(workers)]);
    const { child, port, operation } = started;
    const idle = [
      connectPlain(port, '127.0.0.1'),
      connect({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    ];
    for (const socket of idle) socket.on('error', () => undefined);
    const slow = halfRequest(port, review);
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill('SIGTERM');
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${operation}/readyz`)).status)
      .toBe(503);
    const late = halfRequest(port, review);
    late.call.end(review.slice(100));
    expect(await late.code).toBe(200);
    // After the delay.
    setTimeout(() => slow.call.end(review.slice(100)), 5_200);
    expect(await slow.code).toBe(200);
    const began = Date.now();
    expect(await started.ended).toBe(0);
    // Node itself lets a connection wait for a minute.
    expect(Date.now() - began).toBeLessThan(30_000);
    for (const socket of idle) socket.destroy();
  });
});

function childrenOf({ pid }: ChildProcess): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.match(/\d+/g)?.map(Number) ?? [];
}

/** The process group of a detached process. */
function groupOf({ pid }: ChildProcess): number {
  // Without a process id, the signal would go to the group of the tests.
  if (pid === undefined) throw new Error('the process did not start');
  return -pid;
}

const askedAtOnce = 100;

/**
 * Asks for the metrics, which are of all processes, many times on one connection, and counts the answers. When it is
 * there, the questions have been sent.
 */
async function askForMetrics(port: number): Promise<{ readonly answers: Promise<number> }> {
  const socket = connectPlain(port, '127.0.0.1');
  let answered = '';
  const answers = new Promise<number>((resolve) => {
    const count = (): number => answered.split('HTTP/1.1 200 ').length - 1;
    socket.setEncoding('utf8').on('data', (part: string) => {
      answered += part;
      if (count() === askedAtOnce) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(count()));
  });
  const questions = 'GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(askedAtOnce);
  await new Promise<unknown>((resolve) => socket.write(questions, resolve));
  return { answers };
}

test('workers end silently when the first process dies', async () => {
  const { child, operation, errors } = await start(['--workers', '2']);
  const pids = childrenOf(child);
  expect(pids).toHaveLength(2);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const { answers } = await askForMetrics(operation);
  // When the second of these is answered, the questions have been handed on.
  for (let count = 0; count < 2; count++) await fetch(`http://127.0.0.1:${operation}/healthz`);
  child.kill('SIGKILL');
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  expect(await errors).toBe('');
  expect(await answers).toBe(0);
});

test('when a worker process dies, the first one answers on, whatever it asks of it', async () => {
  const started = await start(['--shutdown-delay', '0', '--workers', '2']);
  const { child, operation, ended, errors } = started;
  const [pid = Number.NaN] = childrenOf(child);
  // The first process learns of the end after the requests were sent.
  child.kill('SIGSTOP');
  const { answers } = await askForMetrics(operation);
  process.kill(pid, 'SIGKILL');
  child.kill('SIGCONT');
  expect(await answers).toBe(askedAtOnce);
  await expect.poll(() => childrenOf(child).filter((each) => each !== pid)).toHaveLength(2);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await errors).toBe('');
});

// The policy is used except for one rule, which is reported as long as the policy exists.
const imagesPolicy = join(folder, 'images.yaml');
writeFileSync(
  imagesPolicy,
  `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: images}
spec:
  rules:
  - name: signed
    match: {any: [{resources: {kinds: [Pod]}}]}
    verifyImages: [{imageReferences: ['*'], attestors: [{entries: [{keys: {publicKeys: k8s://a/b}}]}]}]
`,
);
const denyingPolicy = join(folder, 'denying.yaml');
writeFileSync(denyingPolicy, validatingPolicy('denying', 'false'));

test('a worker process that dies is replaced by one that answers as the others', async () => {
  const policies = ['--policies', imagesPolicy, '--policies', denyingPolicy];
  const started = await start(['--shutdown-delay', '0', '--workers', '2', ...policies]);
  const { child, port, ended, messages } = started;
  const replaced = (): string[] => messages.filter((each) => each === 'replacing a worker process');
  const pids = childrenOf(child);
  expect(pids).toHaveLength(2);
  const answer = async (): Promise<string> => {
    const { call, body } = halfRequest(port, review);
    call.end(review.slice(100));
    return /"allowed":\w+/.exec(await body)?.[0] ?? '';
  };
  for (const [index, pid] of pids.entries()) {
    process.kill(pid, 'SIGKILL');
    // Connections handed over before the end is noticed are lost; after that, the process is no longer a child.
    await expect.poll(() => childrenOf(child)).not.toContain(pid);
    for (let count = 0; count < 6; count++) expect(await answer()).toBe('"allowed":false');
    await expect.poll(replaced).toHaveLength(index + 1);
  }
  for (let count = 0; count < 6; count++) expect(await answer()).toBe('"allowed":false');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.each([1, 2])('a port that is taken, %d process(es)', async (workers) => {
  const taken = createServer();
  const port = await listen(taken);
  const options = ['--listen', `127.0.0.1:${port}`, '--workers', String(workers)];
  const problem = new RegExp(`^ended with 2: error: (listen|bind) EADDRINUSE.*:${port}\n$`);
  await expect(start(options)).rejects.toThrow(problem);
  taken.close();
});

test.each([
  [[], 'no policies'],
  [['--policies', policy], 'no certificate'],
  [['--policies', policy, '--self-signed', folder, '--listen', 'here'], '--listen <host:port>'],
  [
    ['--policies', policy, '--self-signed', folder, '--kubernetes-version', '9.9'],
    'Expected one of 1.30',
  ],
  [
    ['--policies', policy, '--self-signed', folder, '--exclude-namespace', 'Shop'],
    'name of a namespace',
  ],
  [
    ['--policies', policy, '--self-signed', '/proc/none'],
    'error: /proc/none: no such file or directory',
  ],
  [['--self-signed', folder, '--in-cluster'], 'KUBERNETES_SERVICE_HOST'],
  [['--policies', policy, '--tls-cert', '/nowhere', '--tls-key', '/nowhere'], 'no such file'],
  [['--policies', policy, '--self-signed', folder, '--workers', '0'], 'whole number'],
  [['--policies', policy, '--self-signed', folder, '--webhook-timeout', '31'], 'from 1 to 30'],
  [['--polcies', policy], "unknown option '--polcies'"],
  [['--policies', policy, 'b.yaml'], 'unexpected argument `b.yaml`; repeat `--policies`'],
  [
    ['--policies', policy, '--self-signed', folder, '--dns-name', 'a_b'],
    'Expected a host name or an address.',
  ],
  [
    ['--policies', policy, '--self-signed', folder, '--kubeconfig', '/nowhere'],
    'error: /nowhere: no such file or directory',
  ],
  [
    ['--policies', policy, '--tls-cert', policy, '--tls-key', policy],
    'policy.yaml: contains no readable PEM data',
  ],
])('options %j end with 2 and say why', async (args, text) => {
  const env = { PATH: process.env['PATH'] };
  const { exitCode, stderr } = await runProgram(process.execPath, [program, ...args], { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(text) });
});

test('requests are decided where the log cannot be written, and that is said', async () => {
  const args = ['--policies', policy, '--self-signed', join(folder, 'tls')];
  const port = await freePort();
  const operation = await freePort();
  const listen = [
    ...['--listen', `127.0.0.1:${port}`, '--metrics-listen', `127.0.0.1:${operation}`],
    ...['--shutdown-delay', '0'],
  ];
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [program, ...args, ...listen], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  const errors = textOf(child.stderr as NodeJS.ReadableStream);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const read = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${operation}${path}`)).text();
  await expect.poll(() => read('/readyz').catch(() => '')).toBe('ok');
  const { call, code, body } = halfRequest(port, review);
  call.end(review.slice(100));
  expect([await code, await body]).toEqual([200, expect.stringContaining('"allowed":true')]);
  expect(await read('/readyz?verbose')).toContain('[!]log degraded: no space left on the device\n');
  child.kill();
  expect(await ended).toBe(0);
  expect(await errors).toBe(
    'error: the log cannot be written, so its lines are lost: no space left on the device\n',
  );
});

test('ends without an error when a group of processes is stopped while they start', async () => {
  const args = ['--policies', policy, '--self-signed', join(folder, 'tls'), '--workers', '2'];
  const child = spawn(
    process.execPath,
    [program, ...args, '--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0'],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const errors = textOf(child.stderr);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // Workers are there, and have not read their signals' handlers yet.
  await expect.poll(() => childrenOf(child), { interval: 1 }).not.toEqual([]);
  process.kill(groupOf(child), 'SIGTERM');
  expect(await ended).toBe(0);
  // Node itself may report that a worker process has lost its parent.
  expect(await errors).not.toContain('internal error');
});
