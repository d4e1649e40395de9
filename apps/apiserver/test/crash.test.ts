import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderForTest, send, type WireAnswer } from './running-server.ts';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const configMaps = '/api/v1/namespaces/default/configmaps';
const clients = 4;
/** More of them by CRASHES=1000. */
const crashes = Number(process.env['CRASHES'] ?? 5);

/** What clients were told about their objects. */
interface Told {
  /** The least resourceVersion that an object must have, and its value then; absent for one that is gone. */
  readonly acknowledged: Map<string, { readonly value?: string; readonly revision: number }>;
  /** Values that were sent and not answered. */
  readonly pending: Map<string, string | undefined>;
  greatest: number;
}

test(`keeps every acknowledged write over ${crashes} crashes`, {
  timeout: 60_000 + crashes * 6_000,
}, async () => {
  const folder = folderForTest();
  const told: Told = { acknowledged: new Map(), pending: new Map(), greatest: 0 };
  let written = 0;
  for (let crash = 0; crash <= crashes; crash++) {
    const server = await start(folder);
    await check(server, told);
    if (crash < crashes) {
      const writers = Array.from({ length: clients }, (_, client) => write(server, told, client));
      const before = told.greatest;
      await sleep(50 + Math.random() * 400);
      // A slow machine has to have something to lose, too.
      for (let waits = 0; told.greatest === before && waits < 100; waits++) await sleep(50);
      server.process.kill('SIGKILL');
      written += (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);
    }
    await end(server.process);
  }
  expect(written).toBeGreaterThanOrEqual(crashes);
});

interface Server {
  readonly process: ChildProcess;
  readonly url: string;
  readonly kubeconfig: string;
  readonly certificateAuthority: string;
}

async function start(folder: string): Promise<Server> {
  const file = `${folder}/kubeconfig`;
  const args = [
    program,
    '--data',
    `${folder}/data`,
    '--listen',
    '127.0.0.1:0',
    '--write-kubeconfig',
    file,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (part: Buffer) => {
      text += part;
      if (text.includes('serving ')) resolve(text);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${text}`)));
  });
  const kubeconfig = readFileSync(file, 'utf8');
  const authority = /certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? '';
  return {
    process: child,
    url: /serving (\S+)/.exec(line)?.[1] ?? '',
    kubeconfig,
    certificateAuthority: Buffer.from(authority, 'base64').toString(),
  };
}

/** Creates, changes and deletes objects of one client until the server is gone; gives how many writes were answered. */
async function write(server: Server, told: Told, client: number): Promise<number> {
  for (let count = 0; ; count++) {
    const name = `c${client}-${count % 10}`;
    const before = told.acknowledged.get(name);
    const value = `${client}.${count}.${Date.now()}`;
    const isDeletion = before?.value !== undefined && count % 7 === 0;
    told.pending.set(name, isDeletion ? undefined : value);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
    const answer = await request(server, {
      method: isDeletion ? 'DELETE' : before?.value === undefined ? 'POST' : 'PUT',
      path: before?.value === undefined ? configMaps : `${configMaps}/${name}`,
      ...(isDeletion ? {} : { body: JSON.stringify(object) }),
    });
    if (!answer) return count;
    expect([200, 201], answer.body.toString()).toContain(answer.code);
    const { metadata } = JSON.parse(answer.body.toString());
    const revision = isDeletion ? (before?.revision ?? 0) : Number(metadata.resourceVersion);
    told.acknowledged.set(name, isDeletion ? { revision } : { value, revision });
    told.pending.delete(name);
    told.greatest = Math.max(told.greatest, revision);
  }
}

/** Every acknowledged write is there, or one after it that was on its way; none is half there. */
async function check(server: Server, told: Told): Promise<void> {
  const answer = await request(server, { path: configMaps });
  const list = JSON.parse(answer?.body.toString() ?? '{}');
  expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(told.greatest);
  const found = new Map<string, { readonly value: string; readonly revision: number }>();
  for (const { metadata, data } of list.items) {
    if (metadata.name !== 'kube-root-ca.crt') {
      found.set(metadata.name, { value: data.value, revision: Number(metadata.resourceVersion) });
    }
  }
  const names = new Set([...told.acknowledged.keys(), ...told.pending.keys(), ...found.keys()]);
  for (const name of names) {
    const acknowledged = told.acknowledged.get(name);
    const now = found.get(name);
    const possible = [
      acknowledged?.value,
      ...(told.pending.has(name) ? [told.pending.get(name)] : []),
    ];
    expect(possible, name).toContain(now?.value);
    if (now && acknowledged) expect(now.revision).toBeGreaterThanOrEqual(acknowledged.revision);
    told.acknowledged.set(name, now ?? { revision: acknowledged?.revision ?? 0 });
  }
  told.pending.clear();
}

function request(
  server: Server,
  wanted: { readonly method?: string; readonly path: string; readonly body?: string },
): Promise<WireAnswer | undefined> {
  const pem = (name: string): string =>
    Buffer.from(
      new RegExp(`${name}: (\\S+)`).exec(server.kubeconfig)?.[1] ?? '',
      'base64',
    ).toString();
  return send(server, {
    ...wanted,
    headers: { 'content-type': 'application/json' },
    cert: pem('client-certificate-data'),
    key: pem('client-key-data'),
  }).catch(() => undefined);
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.on('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
