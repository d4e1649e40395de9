import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/base';
import type { UserInfo } from '@kubeadmit/engine';
import { encodeUtf8, formatJson } from '@kubeadmit/go';
import type { ApiRequest } from './request.ts';
import type { ApiResponse } from './response.ts';

/** An answer to who asks from within the process. */
export interface ClientAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The object or Status; empty if the answer has none. */
  readonly object: KubernetesObject;
}

/** A request from within the process. */
export interface ClientRequest {
  /** Such as `GET`. */
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** An object, or a patch of one. */
  readonly body?: KubernetesObject | undefined;
  /** The content type of the body (default: `application/json`). */
  readonly contentType?: string | undefined;
}

interface Answering {
  handle(request: ApiRequest): Promise<ApiResponse>;
}

/** Asks a server from within its process: by the name of a user, through authorization and admission. */
export class ApiClient {
  readonly #server: Answering;
  readonly #user: UserInfo;
  readonly #agent: string;

  /**
   * @param server an `ApiServer`, or another handler of its requests
   * @param agent the name of the program, which `managedFields` have
   * @throws TypeError when the server is something else
   */
  constructor(server: Answering, user: UserInfo, agent: string) {
    requireArgument('new ApiClient', server, { what: 'a server', has: 'handle' });
    this.#server = server;
    this.#user = user;
    this.#agent = agent;
  }

  /** The answer, whatever its status. */
  async ask({ method, path, body, contentType }: ClientRequest): Promise<ClientAnswer> {
    const [pathname = '', ...query] = path.split('?');
    const response = await this.#server.handle({
      method,
      path: pathname,
      query: new URLSearchParams(query.join('?')),
      headers: {
        accept: 'application/json',
        'content-type': contentType ?? 'application/json',
        'user-agent': this.#agent,
      },
      ...(body === undefined
        ? {}
        : { readBody: async () => ({ bytes: encodeUtf8(formatJson(body)) }) }),
      user: this.#user,
    });
    const object = response.body.type === 'object' ? response.body.value : {};
    return { status: response.status, object };
  }
}

/** The user that the server itself is to its own API. */
export const serverUser: UserInfo = {
  username: 'system:apiserver',
  groups: ['system:authenticated', 'system:masters'],
};
