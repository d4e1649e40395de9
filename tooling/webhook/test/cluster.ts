import { Agent, request } from 'node:https';
import type { JsonObject } from '../src/json.ts';

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
const program: string = '@kubeadmit/apiserver-program';

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
    ask: (method, path, { body, contentType = 'application/json' } = {}) =>
      new Promise((resolve, reject) => {
        const headers = { accept: 'application/json', 'content-type': contentType };
        const call = request(`${server.url}${path}`, { agent, method, headers }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => {
            const object = JSON.parse(Buffer.concat(parts).toString()) as JsonObject;
            resolve({ code: answer.statusCode ?? 0, object });
          });
        });
        call.once('error', reject);
        call.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    async stop() {
      agent.destroy();
      await server.close();
    },
  };
}
