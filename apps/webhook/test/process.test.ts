import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'process-'));
const policy = join(folder, 'policy.yaml');
writeFileSync(policy, validatingPolicy('policy', 'true'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly operation: number;
  /** The exit code, once the process has ended. */
  readonly ended: Promise<number | null>;
}

function start(options: readonly string[]): Promise<Started> {
  const args = [
    ...[program, '--policies', policy, '--self-signed', join(folder, 'tls')],
    ...['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', ...options],
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const { message, reviews, operation } = JSON.parse(line) as {
        readonly message: string;
        readonly reviews: number;
        readonly operation: number;
      };
      if (message === 'listening') resolve({ child, port: reviews, operation, ended });
    });
    void ended.then((code) => reject(new Error(`ended with ${code}`)));
  });
}

/** Sends the head of a request and half of its body. */
function halfRequest(
  port: number,
  text: string,
): { readonly call: ClientRequest; readonly code: Promise<number> } {
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
  const code = new Promise<number>((resolve, reject) => {
    call.once('response', (response) => resolve(response.resume().statusCode ?? 0));
    call.once('error', reject);
  });
  call.write(text.slice(0, 100));
  return { call, code };
}

const review = configMapReview();

describe.each([1, 2])('after SIGTERM, %d process(es)', (workers) => {
  test('answer what is under way, and end with 0 in spite of idle connections', async () => {
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

test('a worker process that dies is replaced', async () => {
  const started = await start(['--shutdown-delay', '0', '--workers', '2']);
  const { child, port, ended } = started;
  const children = (): string[] =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  const pids = children();
  expect(pids).toHaveLength(2);
  process.kill(Number(pids[0]), 'SIGKILL');
  // What is handed over before its end is noticed is lost; then it is no child any more.
  await expect.poll(children).not.toContain(pids[0]);
  const answers = async (): Promise<number> => {
    const { call, code } = halfRequest(port, review);
    call.end(review.slice(100));
    return code;
  };
  for (let count = 0; count < 6; count++) expect(await answers()).toBe(200);
  await expect.poll(children).toHaveLength(2);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.each([
  [[], 'no policies'],
  [['--policies', policy], 'no certificate'],
  [['--policies', policy, '--self-signed', folder, '--listen', 'here'], '--listen <host:port>'],
  [
    ['--policies', policy, '--self-signed', folder, '--kubernetes-version', '9.9'],
    'Known are 1.30',
  ],
  [['--policies', policy, '--self-signed', folder, '--exclude-namespace', 'Shop'], 'No namespace'],
  [['--policies', policy, '--self-signed', '/proc/none'], '/proc/none: ENOENT'],
  [['--self-signed', folder, '--in-cluster'], 'KUBERNETES_SERVICE_HOST'],
  [['--policies', policy, '--tls-cert', '/nowhere', '--tls-key', '/nowhere'], 'no such file'],
  [['--policies', policy, '--self-signed', folder, '--workers', '0'], 'whole number'],
  [['--polcies', policy], "unknown option '--polcies'"],
])('options %j end with 2 and say why', async (args, text) => {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    written += part;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, written }).toEqual({ code: 2, written: expect.stringContaining(text) });
});
