import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { OptionOutput } from '../../src/configuration/command.ts';
import { readOptions } from '../../src/configuration/options.ts';
import { createLog } from '../../src/operation/log.ts';
import { Webhook } from '../../src/webhook.ts';
import { LocalAnswerer } from '../../src/workers/local-answerer.ts';

/** What came back for a request. */
export interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How to ask besides the body. */
export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Client certificate. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** A webhook in this process, with folders of its own. */
export interface TestWebhook {
  readonly folder: string;
  readonly port: number;
  readonly operationPort: number;
  readonly log: readonly Readonly<Record<string, unknown>>[];
  ask(path: string, body: string | Buffer, options?: AskOptions): Promise<Answer>;
  /** The text behind a path of the operation listener. */
  read(path: string): Promise<{ readonly code: number; readonly text: string }>;
  write(name: string, text: string): void;
  stop(): Promise<void>;
}

/** Starts a webhook with files of policies by name. */
export async function startWebhook(
  files: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  certificate?: readonly string[],
): Promise<TestWebhook> {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  const write = (name: string, text: string): void => {
    const path = join(folder, 'policies', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  mkdirSync(join(folder, 'policies'));
  for (const [name, text] of Object.entries(files)) write(name, text);
  const args = [
    ...['--policies', join(folder, 'policies')],
    ...(certificate ?? ['--self-signed', join(folder, 'tls')]),
    ...['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--shutdown-delay', '0'],
    ...options,
  ];
  const configuration = readOptions(args, process.env, silent);
  if (configuration === undefined) throw new Error('no configuration');
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = createLog({
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const webhook = new Webhook(configuration, {
    answerer: new LocalAnswerer(configuration, log),
    log,
    logOutput: { problem: '' },
  });
  const ports = await webhook.start();
  const agent = new Agent({ keepAlive: true });
  return {
    folder,
    port: ports.reviews,
    operationPort: ports.operation,
    log: lines,
    write,
    ask: (path, body, asked = {}) =>
      ask({ agent, port: ports.reviews, ca: readFileSync(join(folder, 'tls/ca.crt')) }, path, {
        body,
        ...asked,
      }),
    async read(path) {
      const response = await fetch(`http://127.0.0.1:${ports.operation}${path}`);
      return { code: response.status, text: await response.text() };
    },
    async stop() {
      agent.destroy();
      await webhook.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const silent: OptionOutput = { writeOut: () => undefined, writeErr: () => undefined };

function ask(
  { agent, port, ca }: { readonly agent: Agent; readonly port: number; readonly ca: Buffer },
  path: string,
  {
    body,
    method = 'POST',
    headers,
    client = { cert: '', key: '' },
  }: AskOptions & {
    readonly body: string | Buffer;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: '127.0.0.1', port, path, method, agent, ca },
        ...(client.cert === '' ? {} : client),
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const parsed = text === '' ? {} : (JSON.parse(text) as Answer['body']);
          resolve({ code: response.statusCode ?? 0, body: parsed });
        });
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}
