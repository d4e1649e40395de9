import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonAnswer, startKubeApiserver } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { isObject, type JsonObject } from './json.ts';

/** What the server answers. */
export type Answer = JsonAnswer;

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

/** Starts the program of a kube-apiserver in a folder, and waits until it is ready. */
export async function startApiServer(
  program: string,
  folder: string,
  auditPolicy: string,
): Promise<ApiServer> {
  const auditLog = join(folder, 'audit.log');
  const flags = [
    `--audit-policy-file=${auditPolicy}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-mode=blocking',
  ];
  const { client, ...server } = await startKubeApiserver(program, flags, folder);
  return {
    ...server,
    ask: ({ method, path, body, contentType, token }) =>
      client.ask(method, path, body, {
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      }),
    auditAnnotations: () => readAnnotations(auditLog),
  };
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
