import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import type { NamespaceChange } from '../policies/live-namespaces.ts';
import type { ApiClient } from './api-client.ts';

/** Reads single namespaces from the API server, as the native policy plugins do if their cache lacks one. */
export class NamespaceLookup {
  readonly #client: Pick<ApiClient, 'find'>;
  readonly #reading: Map<string, Promise<NamespaceChange | undefined>> = new Map();

  constructor(client: Pick<ApiClient, 'find'>) {
    this.#client = client;
  }

  /**
   * Reads a namespace; concurrent requests for the same one share the answer. Returns `undefined` if it does not
   * exist.
   *
   * @throws ApiError if the server cannot be reached or refuses
   */
  shared(name: string, milliseconds: number): Promise<NamespaceChange | undefined> {
    const known = this.#reading.get(name);
    if (known !== undefined) return known;
    const reading = this.fresh(name, milliseconds).finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }

  /** Reads a namespace with a new request, so that the answer is not older than the call. */
  async fresh(name: string, milliseconds: number): Promise<NamespaceChange | undefined> {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(milliseconds)));
    const path = `/api/v1/namespaces/${encodeURIComponent(name)}`;
    const namespace = await this.#client.find(path, { signal });
    return namespace === undefined ? undefined : namespaceChange(namespace, false);
  }
}

/** A namespace as processes pass it on. */
export function namespaceChange(namespace: KubernetesObject, isDeleted: boolean): NamespaceChange {
  const object = { ...namespace, apiVersion: 'v1', kind: 'Namespace' };
  return {
    name: metadataString(namespace, 'name'),
    resourceVersion: metadataString(namespace, 'resourceVersion'),
    ...(isDeleted ? {} : { text: stringifyJson(object) }),
  };
}
