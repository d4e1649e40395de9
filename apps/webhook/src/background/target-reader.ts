import { type JsonObject, type KubernetesObject, memberText } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import type { FindTargets, TargetQuery } from '@kubeadmit/kyverno/background';
import type { ApiClient } from '../cluster/api-client.ts';
import { type Discovery, objectPath, type ServedResource } from '../cluster/discovery.ts';
import type { Located } from './object-writer.ts';

const pageSize = 100;
// Each round reads objects that the previous one could not know; a context eventually names no new ones.
const rounds = 4;

/** The dependencies of a reader. */
export interface TargetReaderOptions {
  readonly client: Pick<ApiClient, 'find' | 'pages'>;
  readonly discovery: Discovery;
}

/** Reads the existing objects that policies ask for, each query at most once. */
export class TargetReader {
  readonly #options: TargetReaderOptions;
  readonly #answers: Map<string, readonly JsonObject[] | string> = new Map();
  readonly #located: Map<JsonObject, Located> = new Map();

  constructor(options: TargetReaderOptions) {
    this.#options = options;
  }

  /**
   * Repeats a question until all objects that it reads have been read.
   *
   * @param ask receives a function that finds objects; those that were not read yet are missing
   * @throws Error if each answer leads to other objects
   */
  async during<Result>(ask: (find: FindTargets) => Result): Promise<Result> {
    for (let round = 0; round < rounds; round++) {
      const missing = new Map<string, TargetQuery>();
      const result = ask((query) => {
        const key = JSON.stringify(query);
        const known = this.#answers.get(key);
        if (known === undefined) missing.set(key, query);
        return known ?? [];
      });
      if (missing.size === 0) return result;
      for (const [key, query] of missing) this.#answers.set(key, await this.#read(query));
    }
    throw new Error('the targets differ each time they are evaluated');
  }

  /** Returns the object of the cluster that was read. */
  locate(object: JsonObject): Located | undefined {
    return this.#located.get(object);
  }

  async #read(query: TargetQuery): Promise<readonly JsonObject[] | string> {
    const resources = await this.#options.discovery.select(query);
    if (resources.length === 0) {
      const what = query.kind || query.resource;
      return `the cluster does not serve ${[query.group, query.version, what].join('/')}`;
    }
    const found: JsonObject[] = [];
    for (const resource of resources) {
      try {
        for (const object of await this.#readOf(resource, query)) {
          const json = jsonOf(object);
          this.#located.set(json, { resource, object, subresource: query.subresource });
          found.push(json);
        }
      } catch (error) {
        return errorText(error);
      }
    }
    return found;
  }

  async #readOf(
    resource: ServedResource,
    { namespace, name, subresource }: TargetQuery,
  ): Promise<readonly KubernetesObject[]> {
    const isOne = isExact(name) && (!resource.isNamespaced || isExact(namespace));
    if (isOne) return this.#readOne(resource, namespace, name, subresource);
    const isWithin = resource.isNamespaced && isExact(namespace);
    const path = isWithin ? objectPath(resource, namespace, '') : resource.path;
    const { apiVersion, kind } = resource;
    const all: KubernetesObject[] = [];
    for await (const { items } of this.#options.client.pages(path, pageSize)) {
      all.push(...items.map((item) => ({ ...item, apiVersion, kind })));
    }
    if (subresource === '') return all;
    const parts: KubernetesObject[] = [];
    for (const { metadata } of all) {
      const [within, of] = ['namespace', 'name'].map((field) => memberText(metadata, field));
      parts.push(...(await this.#readOne(resource, within ?? '', of ?? '', subresource)));
    }
    return parts;
  }

  async #readOne(
    resource: ServedResource,
    namespace: string,
    name: string,
    subresource: string,
  ): Promise<readonly KubernetesObject[]> {
    const path = objectPath(resource, namespace, name);
    const object = await this.#options.client.find(
      subresource === '' ? path : `${path}/${subresource}`,
    );
    return object === undefined ? [] : [object];
  }
}

function isExact(text: string): boolean {
  return text !== '' && !/[*?]/.test(text);
}
