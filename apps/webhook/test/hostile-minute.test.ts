import type { ChildProcess } from 'node:child_process';
import { Agent } from 'node:https';
import process from 'node:process';
import { connect, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { folderUntil, sendRequest, stopProgram } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { startProcess } from './harness/process.ts';
import { configMapReview } from './harness/reviews.ts';

// How long clients are hostile at least; a slow machine takes longer and comes to the same end. CI has a job that lets
// them be hostile for a minute.
const milliseconds = Number(process.env['HOSTILE_SECONDS'] ?? 15) * 1000;
const mebibyte = 2 ** 20;

const folder = folderUntil(afterAll, {
  'policy.yaml': validatingPolicy('named', "object.metadata.name != 'bad'"),
});
const review = configMapReview();
const denied = configMapReview({ request: { name: 'bad' }, object: { metadata: { name: 'bad' } } });

let child: ChildProcess;
let port = 0;
let operation = 0;

beforeAll(async () => {
  const options = ['--shutdown-delay', '0', '--log-allows', '0'];
  ({ child, port, operation } = await startProcess(folder, options));
});

afterAll(() => stopProgram(child));

const head = (more: string, type = 'application/json'): string =>
  `POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${more}`;
const whole = `${head(`Content-Length: ${Buffer.byteLength(review)}\r\n`)}\r\n${review}`;
const bomb = gzipSync(Buffer.alloc(64 * mebibyte));

/** The name, the data to send and the code of the last answer, after which the connection is closed. */
const attacks: readonly (readonly [string, readonly (string | Buffer)[], string])[] = [
  ['garbage', ['\0\0garbage\r\n\r\n'], '400'],
  ['garbage behind a request', [`${whole}GARBAGE\r\n\r\n`], '400'],
  ['another protocol', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], '400'],
  ['two lengths', [head('Content-Length: 1\r\nContent-Length: 2\r\n\r\n1')], '400'],
  [
    'a length and chunks',
    [head('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
    '400',
  ],
  ['a chunk without a size', [head('Transfer-Encoding: chunked\r\n\r\nx\r\n\r\n')], '400'],
  ['a head without end', [head(`X: ${'x'.repeat(20_000)}`)], '431'],
  ['a length beyond all', [head('Content-Length: 10000000000\r\n\r\n')], '413'],
  [
    'a bomb',
    [head(`Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`), bomb],
    '415',
  ],
  [
    'chunks without end',
    [
      head('Transfer-Encoding: chunked\r\n\r\n'),
      ...Array.from({ length: 9 }, () => `100000\r\n${' '.repeat(mebibyte)}\r\n`),
    ],
    '413',
  ],
  ['levels without end', [withLength(Buffer.from('['.repeat(200_000)))], '400'],
  ['no UTF-8', [withLength(Buffer.from([0x22, 0xc3, 0x28, 0x22]))], '400'],
];

function withLength(body: Buffer): Buffer {
  const text = head(`Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  return Buffer.concat([Buffer.from(text), body]);
}

function open(): TLSSocket {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  socket.on('error', () => undefined);
  return socket;
}

/** Sends parts, and returns the code that was answered last before the connection was closed. */
function attack(parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = open();
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    socket.once('close', () => {
      const codes = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code = '']) => code);
      resolve(codes.at(-1) ?? 'none');
    });
    for (const part of parts) socket.write(part);
  });
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

async function ask(review: string): Promise<string> {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, agent };
  const { body } = await sendRequest(`https://127.0.0.1:${port}/validate`, options, review);
  return body.toString('utf8');
}

async function residentMebibytes(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${operation}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(text) ?? [];
  return Number(bytes) / mebibyte;
}

test.each(attacks)('%s', async (_, parts, code) => {
  expect(await attack(parts)).toBe(code);
});

test('normal requests are answered right and memory is bounded while everything hostile goes on', async () => {
  const sockets: TLSSocket[] = [];
  for (let index = 0; index < 400; index++) {
    const socket = open();
    sockets.push(socket);
    // Some never say anything, and some never come to an end.
    if (index % 2 === 0) socket.write(head('Content-Length: 5000\r\n\r\n{'));
  }
  const end = performance.now() + milliseconds;
  const surprises: string[] = [];
  const attacking = attacks.map(async ([name, parts, code]) => {
    do {
      const found = await attack(parts);
      if (found !== code) surprises.push(`${name}: ${found}`);
    } while (performance.now() < end);
  });
  let answered = 0;
  const answers = new Set<string>();
  let most = 0;
  do {
    const texts = await Promise.all([ask(review), ask(denied)]);
    for (const [index, text] of texts.entries()) {
      answers.add(`${index} ${/"allowed":(?:true|false)/.exec(text)?.[0]}`);
    }
    if (answered++ % 20 === 0) most = Math.max(most, await residentMebibytes());
  } while (performance.now() < end);
  await Promise.all(attacking);
  for (const socket of sockets) socket.destroy();
  agent.destroy();
  expect([...answers].sort()).toEqual(['0 "allowed":true', '1 "allowed":false']);
  expect(surprises).toEqual([]);
  expect(most).toBeLessThan(600);
  expect(child.exitCode).toBeNull();
});
