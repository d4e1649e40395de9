import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonAnswer, startKubeApiserver } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { readLines, withFolder } from '@kubeadmit/test-support';
import { isObject, type JsonObject } from './json.ts';

/** An answer of the server. */
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
}

/** Uses the program of a kube-apiserver, once it is ready, in a folder; both are gone afterwards. */
export function withApiServer<T>(
  program: string,
  use: (server: ApiServer, folder: string) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const server = await startApiServer(program, folder);
    try {
      return await use(server, folder);
    } finally {
      await server.stop();
    }
  });
}

async function startApiServer(
  program: string,
  folder: string,
): Promise<ApiServer & { stop(): Promise<void> }> {
  // By it the server keeps the annotations of every request.
  const auditPolicy = join(folder, 'audit.json');
  const rules = [{ level: 'Metadata' }];
  writeFileSync(
    auditPolicy,
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }),
  );
  const auditLog = join(folder, 'audit.log');
  const flags = [
    `--audit-policy-file=${auditPolicy}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-mode=blocking',
  ];
  const { client, ...server } = await startKubeApiserver(program, flags, { folder });
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
  for (const event of readLines<JsonObject>(file)) {
    if (event['stage'] !== 'ResponseComplete') continue;
    const noted = event['annotations'];
    annotations.set(String(event['auditID']), isObject(noted) ? noted : {});
  }
  return annotations;
}
