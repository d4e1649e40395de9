import { join } from 'node:path';
import { parseJson } from '@kubeadmit/cel';
import { createFolder, removeFolder } from '@kubeadmit/test-support';
import { ApiClient, type CallOptions } from '../../src/cluster/api-client.ts';
import { ApiError } from '../../src/cluster/api-error.ts';

/** An object of the API. */
export type ApiObject = Readonly<Record<string, unknown>>;

/** An API server in this process, whose objects are gone with it. */
export interface TestCluster {
  readonly url: string;
  readonly kubeconfig: string;
  readonly client: ApiClient;
  /** The administrator's certificate and that of the server, for requests in another way. */
  readonly credentials: { readonly ca: string; readonly cert: string; readonly key: string };
  /** The object, or the status, that a request is answered with. */
  ask(path: string, options?: CallOptions): Promise<ApiObject & { readonly code?: number }>;
  create(path: string, object: object): Promise<ApiObject & { readonly code?: number }>;
  stop(): Promise<void>;
}

interface ApiServerProgram {
  startApiServer(options: { readonly controllers?: boolean }): Promise<{
    readonly url: string;
    readonly kubeconfig: string;
    close(): Promise<void>;
  }>;
}

// The program beside this one; apps import nothing of each other.
const program: string = new URL('../../../apiserver/dist/index.js', import.meta.url).href;

/** Starts an API server in memory. */
export async function startCluster(): Promise<TestCluster> {
  const { startApiServer } = (await import(program)) as ApiServerProgram;
  const server = await startApiServer({});
  const folder = createFolder({ kubeconfig: server.kubeconfig });
  const kubeconfig = join(folder, 'kubeconfig');
  const client = await ApiClient.open({ kind: 'kubeconfig', file: kubeconfig });
  const ask: TestCluster['ask'] = async (path, options) => {
    try {
      return parseJson(await client.ask(path, options)) as ApiObject;
    } catch (error) {
      if (error instanceof ApiError) return { code: error.code, message: error.message };
      throw error;
    }
  };
  return {
    url: server.url,
    kubeconfig,
    client,
    credentials: {
      ca: decoded(server.kubeconfig, 'certificate-authority-data'),
      cert: decoded(server.kubeconfig, 'client-certificate-data'),
      key: decoded(server.kubeconfig, 'client-key-data'),
    },
    ask,
    create: (path, object) => ask(path, { method: 'POST', body: JSON.stringify(object) }),
    async stop() {
      await server.close();
      removeFolder(folder);
    },
  };
}

function decoded(kubeconfig: string, field: string): string {
  const [, value = ''] = new RegExp(`${field}: (\\S+)`).exec(kubeconfig) ?? [];
  return Buffer.from(value, 'base64').toString('utf8');
}
