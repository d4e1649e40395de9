import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../json-object.ts';

/** What the server answers. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  /** The texts of its warnings. */
  readonly warnings: readonly string[];
}

/** A running kube-apiserver. */
export interface Server {
  /** Asks for a path; `headers` go along, such as those that impersonate a user. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | string[]>>,
  ): Promise<Answer>;
  stop(): void;
}

// Plugins that would change or refuse objects besides the policies.
const disabled = [
  ...['ServiceAccount', 'LimitRanger', 'DefaultTolerationSeconds', 'Priority', 'ResourceQuota'],
  ...['TaintNodesByCondition', 'PodSecurity', 'StorageObjectInUseProtection', 'RuntimeClass'],
  ...['PersistentVolumeClaimResize', 'DefaultIngressClass', 'DefaultStorageClass'],
];

/**
 * Starts the program `server` with more flags of kube-apiserver, and waits until it is ready. Rejects with the end of
 * what it wrote where it does not get so far.
 */
export async function startServer(program: string, flags: readonly string[] = []): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'kube-'));
  const child = spawn(
    program,
    ['-dir', folder, '--', `--disable-admission-plugins=${disabled.join(',')}`, ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => {
    written = (written + chunk.toString('utf8')).slice(-10_000);
  });
  const [line] = await new Promise<[string]>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text]));
    child.once('close', () => reject(new Error(`${program} ended: ${written}`)));
  });
  const { port } = JSON.parse(line) as { port: number };
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  const server: Server = {
    ask: (method, path, body, headers = {}) => ask({ agent, port }, method, path, body, headers),
    stop() {
      agent.destroy();
      child.kill();
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    },
  };
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await server.ask('GET', '/readyz').catch(() => undefined);
    if (answer?.code === 200) return server;
    if (child.exitCode !== null) break;
    await sleep(200);
  }
  server.stop();
  throw new Error(`the server does not get ready: ${written}`);
}

function ask(
  { agent, port }: { readonly agent: Agent; readonly port: number },
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string | string[]>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        port,
        method,
        path,
        host: '127.0.0.1',
        headers: {
          authorization: 'Bearer admin-token',
          'content-type': 'application/json',
          accept: 'application/json',
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const warnings = headerValues(response.rawHeaders, 'warning').map(warningText);
          resolve({ code: response.statusCode ?? 0, body: parsed(text), warnings });
        });
      },
    );
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parsed(text: string): JsonObject {
  return text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { text };
}

function headerValues(raw: readonly string[], name: string): string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

// `299 - "text"`; Node reads headers as Latin-1.
function warningText(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.replace(/^299 - "(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1');
}
