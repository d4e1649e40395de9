import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from './json.ts';
import { startProgram } from './processes.ts';

/** What the server answers. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
  readonly auditId: string;
}

/** How a request is sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly token?: string;
}

/** A running kube-apiserver. */
export interface ApiServer {
  readonly kubeconfig: string;
  readonly port: number;
  ask(sent: Sent): Promise<Answer>;
  /** The annotations of the audit log by the id of the request. */
  auditAnnotations(): ReadonlyMap<string, JsonObject>;
  stop(): Promise<void>;
}

// Plugins that would change or refuse objects besides the policies.
const disabled = [
  ...['ServiceAccount', 'LimitRanger', 'DefaultTolerationSeconds', 'Priority', 'ResourceQuota'],
  ...['TaintNodesByCondition', 'PodSecurity', 'StorageObjectInUseProtection', 'RuntimeClass'],
];

/** Starts the program of a kube-apiserver in a folder, and waits until it is ready. */
export async function startApiServer(
  program: string,
  folder: string,
  auditPolicy: string,
): Promise<ApiServer> {
  const auditLog = join(folder, 'audit.log');
  const flags = [
    `--disable-admission-plugins=${disabled.join(',')}`,
    `--audit-policy-file=${auditPolicy}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-mode=blocking',
  ];
  const running = await startProgram(program, ['-dir', folder, '--', ...flags], '"port"');
  const { port } = JSON.parse(running.line) as { readonly port: number };
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  const server: ApiServer = {
    kubeconfig: join(folder, 'kubeconfig'),
    port,
    ask: (sent) => ask({ agent, port }, sent),
    auditAnnotations: () => readAnnotations(auditLog),
    async stop() {
      agent.destroy();
      await running.stop();
    },
  };
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await server.ask({ method: 'GET', path: '/readyz' }).catch(() => undefined);
    if (answer?.code === 200) return server;
    await sleep(200);
  }
  await server.stop();
  throw new Error('the server does not get ready');
}

function ask(
  { agent, port }: { readonly agent: Agent; readonly port: number },
  { method, path, body, contentType = 'application/json', token = 'admin-token' }: Sent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': contentType,
      accept: 'application/json',
    };
    const call = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          code: response.statusCode ?? 0,
          body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { text },
          warnings: warningsOf(response.rawHeaders),
          auditId: String(response.headers['audit-id'] ?? ''),
        });
      });
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

// `299 - "text"`; Node reads headers as Latin-1.
function warningsOf(raw: readonly string[]): string[] {
  return raw
    .filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'warning')
    .map((header) => Buffer.from(header, 'latin1').toString('utf8'))
    .map((text) => text.replace(/^299 - "(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1'));
}

function readAnnotations(file: string): ReadonlyMap<string, JsonObject> {
  const annotations = new Map<string, JsonObject>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const event = JSON.parse(line) as JsonObject;
    if (event['stage'] !== 'ResponseComplete') continue;
    const noted = event['annotations'];
    annotations.set(String(event['auditID']), isObject(noted) ? noted : {});
  }
  return annotations;
}
