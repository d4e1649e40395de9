import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import { encodeUtf8, formatJson } from '@kubeadmit/go/internal';
import { handleRequest } from '../handle-request.ts';
import type { Machinery } from '../machinery.ts';

/** An answer to a controller. */
export interface ControllerAnswer {
  readonly status: number;
  readonly object: KubernetesObject;
}

/** A request of a controller. */
export interface ControllerRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body?: KubernetesObject | undefined;
  readonly contentType?: string | undefined;
}

/** Asks the server as a controller does: by its name, through authorization and admission. */
export class ControllerClient {
  readonly #machinery: Machinery;
  readonly #user: UserInfo;
  readonly #agent: string;

  constructor(machinery: Machinery, user: UserInfo, agent: string) {
    this.#machinery = machinery;
    this.#user = user;
    this.#agent = agent;
  }

  /** The answer, whatever its status. */
  async ask({ method, path, body, contentType }: ControllerRequest): Promise<ControllerAnswer> {
    const url = new URL(path, 'http://localhost');
    const response = await handleRequest(this.#machinery, {
      method,
      path: url.pathname,
      query: url.searchParams,
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

/** The user of a controller that runs with a service account of its own. */
export function controllerUser(name: string): UserInfo {
  return {
    username: `system:serviceaccount:kube-system:${name}`,
    groups: [
      'system:serviceaccounts',
      'system:serviceaccounts:kube-system',
      'system:authenticated',
    ],
  };
}

/** The user that the server itself is to its own API. */
export const serverUser: UserInfo = {
  username: 'system:apiserver',
  groups: ['system:authenticated', 'system:masters'],
};
