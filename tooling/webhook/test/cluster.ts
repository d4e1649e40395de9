import { Agent } from 'node:https';
import { sendRequest } from '@kubeadmit/test-support';
import type { JsonObject } from '../src/server/json.ts';

/** An API server in this process. */
export interface TestCluster {
  readonly kubeconfig: string;
  ask(
    method: string,
    path: string,
    sent?: { readonly body?: unknown; readonly contentType?: string },
  ): Promise<{ readonly code: number; readonly object: JsonObject }>;
  stop(): Promise<void>;
}

interface ApiServerProgram {
  startApiServer(options: object): Promise<{
    readonly url: string;
    readonly kubeconfig: string;
    readonly certificateAuthority: string;
    close(): Promise<void>;
  }>;
}

// Its types are there when it is built, and are not needed before.
const program: string = '@kubeadmit/test-server';

/** Starts an API server of this repository in memory. */
export async function startCluster(): Promise<TestCluster> {
  const { startApiServer } = (await import(program)) as ApiServerProgram;
  const server = await startApiServer({});
  const text = (name: string): Buffer =>
    Buffer.from(new RegExp(`${name}: (\\S+)`).exec(server.kubeconfig)?.[1] ?? '', 'base64');
  const agent = new Agent({
    keepAlive: true,
    ca: server.certificateAuthority,
    cert: text('client-certificate-data'),
    key: text('client-key-data'),
  });
  return {
    kubeconfig: server.kubeconfig,
    async ask(method, path, { body, contentType = 'application/json' } = {}) {
      const headers = { accept: 'application/json', 'content-type': contentType };
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await sendRequest(server.url + path, { agent, method, headers }, sent);
      return { code: answer.code, object: JSON.parse(answer.body.toString()) as JsonObject };
    },
    async stop() {
      agent.destroy();
      await server.close();
    },
  };
}
