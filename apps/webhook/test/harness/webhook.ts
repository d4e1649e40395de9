import { mkdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import process from 'node:process';
import { createFolder, removeFolder, sendRequest, writeFiles } from '@kubeadmit/test-support';
import type { OptionOutput } from '../../src/configuration/command.ts';
import { readOptions } from '../../src/configuration/options.ts';
import { createLog } from '../../src/logging/log.ts';
import { SnapshotRecord } from '../../src/policies/snapshot-record.ts';
import { Webhook } from '../../src/webhook.ts';
import { LocalAnswerer } from '../../src/workers/local-answerer.ts';

/** The answer to a request. */
export interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The options of a request, without its body. */
export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Client certificate. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** A webhook in this process, with separate folders. */
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
  const folder = createFolder();
  mkdirSync(join(folder, 'policies'));
  writeFiles(join(folder, 'policies'), files);
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
    write: (line) => lines.push(readLogLine(line)),
  });
  const record = new SnapshotRecord();
  const webhook = new Webhook(configuration, {
    answerer: new LocalAnswerer(configuration, log, record),
    log,
    logOutput: { problem: '' },
    record,
  });
  const ports = await webhook.start();
  const agent = new Agent({ keepAlive: true });
  return {
    folder,
    port: ports.reviews,
    operationPort: ports.operation,
    log: lines,
    write: (name, text) => writeFiles(join(folder, 'policies'), { [name]: text }),
    async ask(path, body, { method = 'POST', headers, client } = {}) {
      const answer = await sendRequest(
        `https://127.0.0.1:${ports.reviews}${path}`,
        {
          ...{ method, agent, ca: readFileSync(join(folder, 'tls/ca.crt')), ...client },
          headers: { 'content-type': 'application/json', ...headers },
        },
        body,
      );
      const text = answer.body.toString('utf8');
      return { code: answer.code, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
    },
    async read(path) {
      const response = await fetch(`http://127.0.0.1:${ports.operation}${path}`);
      return { code: response.status, text: await response.text() };
    },
    async stop() {
      agent.destroy();
      await webhook.stop();
      removeFolder(folder);
    },
  };
}

const silent: OptionOutput = { writeOut: () => undefined, writeErr: () => undefined };

/** Reads a line of the log, in which no object may have a field twice. */
function readLogLine(line: string): Record<string, unknown> {
  const entry = JSON.parse(line) as Record<string, unknown>;
  // Reading keeps one of several fields of one name, so that the text becomes shorter.
  if (JSON.stringify(entry) !== line.trim()) throw new Error(`a field is given twice: ${line}`);
  return entry;
}
