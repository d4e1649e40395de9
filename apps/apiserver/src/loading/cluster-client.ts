import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiServer } from '@kubeadmit/apiserver';
import type { UserInfo } from '@kubeadmit/engine';

/** An answer of the API to the server itself. */
export interface ClientAnswer {
  readonly code: number;
  readonly object: KubernetesObject;
}

/** A request of the server itself. */
export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: KubernetesObject;
}

const administrator: UserInfo = {
  username: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

/** Asks an API server from within its process, with all rights. */
export class ClusterClient {
  readonly #server: ApiServer;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** Rejects when the answer is no object. */
  async send({
    method,
    path,
    query = {},
    contentType,
    body,
  }: ClientRequest): Promise<ClientAnswer> {
    const bytes = body && Buffer.from(JSON.stringify(body));
    const answer = await this.#server.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: {
        accept: 'application/json',
        'content-type': contentType ?? 'application/json',
        'user-agent': 'kubeadmit',
      },
      user: administrator,
      ...(bytes ? { readBody: async () => ({ bytes }) } : {}),
    });
    if (answer.body.type !== 'object') {
      const text = answer.body.type === 'text' ? answer.body.text.trim() : answer.body.type;
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
    return { code: answer.status, object: answer.body.value };
  }
  /** The uid of an object of the core group now; undefined when it is not there. */
  async uidOf(resource: string, namespace: string, name: string): Promise<string | undefined> {
    const path = ['', 'api/v1/namespaces', namespace, resource, encodeURIComponent(name)].join('/');
    const { code, object } = await this.send({ method: 'GET', path });
    const { uid } = (object['metadata'] ?? {}) as { readonly uid?: string };
    return code === 200 ? uid : undefined;
  }
}
