import { spawn } from 'node:child_process';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder, removeFolder, sendRequest, stopProgram } from '@kubeadmit/test-support';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each `Warning` header by itself. */
  readonly warnings: readonly string[];
  readonly bytes: Buffer;
}

export interface JsonAnswer {
  readonly code: number;
  /** The response body; text that is not an object is in `text`. */
  readonly body: Record<string, unknown>;
  readonly warnings: readonly string[];
  /** The identifier of the request in the audit log. */
  readonly auditId: string;
}

/** Asks a kube-apiserver, whatever its certificate is. */
export class KubeClient {
  readonly #agent: Agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  readonly #address: string;
  readonly #token: string;

  /** @param token who asks, where the headers of a request do not say it */
  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** Sends a request without changes. */
  async send({ method, path, headers, body }: SentRequest): Promise<RawAnswer> {
    const options = { agent: this.#agent, method, headers: encodeHeaders(headers) };
    // With a text Node would write the headers in UTF-8, too.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const answer = await sendRequest(new URL(path, this.#address), options, bytes);
    return {
      status: answer.code,
      headers: answer.headers as Record<string, string>,
      warnings: headerLines(answer.rawHeaders, 'warning'),
      bytes: answer.body,
    };
  }

  /** Asks in JSON for a path; `headers` go along, such as those that impersonate a user. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: SentRequest['headers'] = {},
  ): Promise<JsonAnswer> {
    const answer = await this.send({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = answer.bytes.toString('utf8');
    return {
      code: answer.status,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
      warnings: answer.warnings.map(warningText),
      auditId: answer.headers['audit-id'] ?? '',
    };
  }

  /**
   * Returns the content of a path.
   *
   * @throws Error if the server does not return it
   */
  async get(path: string): Promise<unknown> {
    const { code, body } = await this.ask('GET', path);
    if (code !== 200) throw new Error(`${path}: ${code}`);
    return body;
  }

  /** Closes its connections. */
  close(): void {
    this.#agent.destroy();
  }
}

// Node takes and reads headers as Latin-1; they are UTF-8.
function encodeHeaders(headers: SentRequest['headers']): Record<string, string | string[]> {
  const encode = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? encode(value) : value.map(encode),
    ]),
  );
}

function headerLines(raw: readonly string[], name: string): string[] {
  return raw
    .filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)
    .map((line) => Buffer.from(line, 'latin1').toString('utf8'));
}

/** The text of a `Warning` header, `299 - "text"`. */
export function warningText(header: string): string {
  return header.replace(/^299 - "(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1');
}

/** A kube-apiserver that was started for this. */
export interface KubeApiserver {
  readonly client: KubeClient;
  readonly port: number;
  /** The file by which kubectl reaches it. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** The plugins that are off on recorded servers: those beside policies that change or reject many objects. */
export const disabledPlugins: readonly string[] = [
  ...['ServiceAccount', 'LimitRanger', 'DefaultTolerationSeconds', 'Priority', 'ResourceQuota'],
  ...['TaintNodesByCondition', 'PodSecurity', 'StorageObjectInUseProtection', 'RuntimeClass'],
  ...['PersistentVolumeClaimResize', 'DefaultIngressClass', 'DefaultStorageClass'],
];

/** Where a kube-apiserver keeps its data, and which admission plugins it runs. */
export interface ServerOptions {
  /** The data folder (default: a temporary one that is removed when the server stops). */
  readonly folder?: string | undefined;
  /** `default` runs every plugin that kube-apiserver has on by default (default: `policies`). */
  readonly plugins?: 'default' | 'policies';
}

/**
 * Starts the program `server` with additional flags of kube-apiserver, and waits until it is ready.
 *
 * Without a flag `--disable-admission-plugins` and without the option `plugins`, every plugin that changes or rejects
 * objects is off. Rejects with the end of the server's output if it does not become ready.
 */
export async function startKubeApiserver(
  program: string,
  flags: readonly string[] = [],
  { folder, plugins = 'policies' }: ServerOptions = {},
): Promise<KubeApiserver> {
  const own = folder ?? createFolder();
  const isChosen =
    plugins === 'default' || flags.some((flag) => flag.startsWith('--disable-admission-plugins='));
  const all = isChosen
    ? flags
    : [`--disable-admission-plugins=${disabledPlugins.join(',')}`, ...flags];
  const args = ['-dir', own, '-plugins', plugins, '--', ...all];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => {
    written = (written + chunk.toString('utf8')).slice(-10_000);
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${program} ended: ${written}`)));
  });
  const { port } = JSON.parse(line) as { readonly port: number };
  const client = new KubeClient(`https://127.0.0.1:${port}`, 'admin-token');
  const stop = async (): Promise<void> => {
    client.close();
    await stopProgram(child);
    if (folder === undefined) removeFolder(own);
  };
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt++) {
    const answer = await client.ask('GET', '/readyz').catch(() => undefined);
    if (answer?.code === 200) return { client, port, kubeconfig: join(own, 'kubeconfig'), stop };
    await sleep(200);
  }
  await stop();
  throw new Error(`the server does not get ready: ${written}`);
}
