import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import type { Ask } from './play-case.ts';

/** A kube-apiserver that was started for this. */
export interface RealServer {
  readonly ask: Ask;
  stop(): void;
}

// Plugins that change or refuse objects besides the policies.
const disabled = [
  ...['ServiceAccount', 'LimitRanger', 'DefaultTolerationSeconds', 'Priority', 'ResourceQuota'],
  ...['TaintNodesByCondition', 'PodSecurity', 'StorageObjectInUseProtection', 'RuntimeClass'],
  ...['PersistentVolumeClaimResize', 'DefaultIngressClass', 'DefaultStorageClass'],
];

const tokens: Readonly<Record<string, string>> = {
  admin: 'Bearer admin-token',
  alice: 'Bearer alice-token',
  nobody: 'Bearer of-nobody',
};

/** Starts the program and waits until it is ready. */
export async function startRealServer(program: string): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-'));
  const flags = [
    `--disable-admission-plugins=${disabled.join(',')}`,
    '--runtime-config=admissionregistration.k8s.io/v1beta1=true,admissionregistration.k8s.io/v1alpha1=true',
  ];
  const child = spawn(program, ['-dir', folder, '--', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await new Promise<[string]>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text]));
    child.once('exit', () => reject(new Error(`${program} ended`)));
  });
  const { port } = JSON.parse(line) as { port: number };
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  const stop = (): void => {
    agent.destroy();
    child.kill();
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  };
  const server: RealServer = { ask: (asked) => send(agent, port, asked), stop };
  const ready = { method: 'GET', path: '/readyz', headers: {}, as: 'admin' } as const;
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await server.ask(ready).catch(() => undefined);
    if (answer?.status === 200) return server;
    await sleep(200);
  }
  stop();
  throw new Error('the server does not get ready');
}

function send(
  agent: Agent,
  port: number,
  { method, path, headers, body, as }: Parameters<Ask>[0],
): Promise<Answer> {
  const token = tokens[as];
  const all = {
    ...(token === undefined ? {} : { authorization: token }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const call = request(
      { agent, port, method, path, host: '127.0.0.1', headers: all },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const warnings = warningsOf(response.rawHeaders);
          resolve({
            status: response.statusCode ?? 0,
            headers: {
              ...(response.headers as Record<string, string>),
              ...(warnings.length === 0 ? {} : { warning: warnings }),
            },
            text: Buffer.concat(chunks).toString('utf8'),
            bytes: Buffer.concat(chunks),
          });
        });
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

function warningsOf(rawHeaders: readonly string[]): readonly string[] {
  const warnings: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === 'warning') warnings.push(rawHeaders[i + 1] ?? '');
  }
  return warnings;
}
