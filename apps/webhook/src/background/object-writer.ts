import {
  type JsonObject,
  type KubernetesObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { stringifyJson } from '@kubeadmit/go';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import { objectPath, type ServedResource } from '../cluster/discovery.ts';
import type { Log } from '../logging/log.ts';
import { OwnWrites } from './own-writes.ts';

/** A change of the cluster by a controller. */
export type Action = 'create' | 'update' | 'delete';

/** The work that needs a change. */
export interface Reason {
  /** The kind of work. */
  readonly task: 'generate' | 'mutate' | 'cleanup' | 'ttl';
  /** The key of the policy, or empty. */
  readonly policy: string;
  /** How many changes of background work led to this one (default: 0). */
  readonly depth?: number;
}

/** The dependencies of a writer. */
export interface ObjectWriterOptions {
  readonly client: Pick<ApiClient, 'ask' | 'find'>;
  readonly log: Log;
  /** Whether changes are only logged. */
  readonly isDryRun: boolean;
  /** Whether this process may write; another one may have taken over. */
  readonly mayWrite: () => boolean;
  /** Called for each change. */
  readonly done: (action: Action, reason: Reason) => void;
}

const notFound = 404;
const conflict = 409;
/** As Kyverno names it, so that its own fields are taken over. */
const fieldManager = 'kyverno-generate';

/** An object and the resource that it belongs to. */
export interface Located {
  readonly resource: ServedResource;
  readonly object: KubernetesObject;
  /** The part of the object that is read and written, such as `status`. */
  readonly subresource?: string;
}

/** Writes objects to a cluster; in a dry run it only logs the writes. */
export class ObjectWriter {
  readonly #options: ObjectWriterOptions;
  readonly #own: OwnWrites = new OwnWrites();

  constructor(options: ObjectWriterOptions) {
    this.#options = options;
  }

  /**
   * Creates an object. Returns it, or `undefined` if an object with its name exists.
   *
   * @throws ApiError if the server rejects it
   */
  async create(
    { resource, object }: Located,
    reason: Reason,
  ): Promise<KubernetesObject | undefined> {
    const folder = objectPath(resource, metadataString(object, 'namespace'), '');
    try {
      return await this.#write('create', { resource, object }, reason, () =>
        this.#send(folder, 'POST', stringifyJson(object)),
      );
    } catch (error) {
      if (error instanceof ApiError && error.code === conflict) return undefined;
      throw error;
    }
  }

  /**
   * Replaces an object with the resource version in the new one.
   *
   * @throws ApiError if the server rejects it, also with the code 409 after another change
   */
  async update(located: Located, reason: Reason): Promise<KubernetesObject> {
    return this.#write('update', located, reason, () =>
      this.#send(pathOf(located), 'PUT', stringifyJson(located.object)),
    );
  }

  /**
   * Applies an object and takes its fields over; creates it if it has no resource version.
   *
   * @throws ApiError if the server rejects it, also with the code 409 after another change
   */
  async apply(located: Located, reason: Reason): Promise<KubernetesObject> {
    const isNew = metadataString(located.object, 'resourceVersion') === '';
    const query = `fieldManager=${fieldManager}&force=true`;
    return this.#write(isNew ? 'create' : 'update', located, reason, () =>
      this.#send(`${pathOf(located)}?${query}`, 'PATCH', stringifyJson(located.object)),
    );
  }

  /**
   * Deletes an object unless it changed since it was read. An object that no longer exists is deleted.
   *
   * @param propagation what happens to its dependents; default that of the resource
   * @throws ApiError if the server rejects it, also with the code 409 after another change
   */
  async delete(located: Located, reason: Reason, propagation?: string): Promise<void> {
    const { object } = located;
    const uid = metadataString(object, 'uid');
    const resourceVersion = metadataString(object, 'resourceVersion');
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid, resourceVersion },
      ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    });
    await this.#write('delete', located, reason, async () => {
      try {
        await this.#options.client.ask(pathOf(located), { method: 'DELETE', body });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === notFound)) throw error;
      }
      return object;
    });
  }

  /** Reads the present state of an object. */
  async read(located: Located): Promise<KubernetesObject | undefined> {
    return this.#options.client.find(pathOf(located));
  }

  /** Returns how many changes of background work led to a version of an object; zero for a change by others. */
  async depthOf(located: Located): Promise<number> {
    return this.#own.depthOf(pathOf({ ...located, subresource: '' }), located.object);
  }

  async #send(
    path: string,
    method: 'POST' | 'PUT' | 'PATCH',
    body: string,
  ): Promise<KubernetesObject> {
    const contentType = method === 'PATCH' ? { contentType: 'application/apply-patch+yaml' } : {};
    const answer = await this.#options.client.ask(path, { method, body, ...contentType });
    return parseJson(answer) as KubernetesObject;
  }

  async #write(
    action: Action,
    located: Located,
    reason: Reason,
    write: () => Promise<KubernetesObject>,
  ): Promise<KubernetesObject> {
    const { resource, object } = located;
    const { isDryRun, mayWrite, log, done } = this.#options;
    if (!mayWrite()) throw new Error('another replica does the background work');
    const { task, policy, depth = 0 } = reason;
    const facts = { action, task, policy, resource: resource.path, object: nameOf(object) };
    if (isDryRun) {
      log.info(facts, 'dry run: the cluster is not changed');
      return object;
    }
    const path = pathOf({ ...located, subresource: '' });
    const written = await this.#own.during(path, depth + 1, write);
    // A replacement that changes nothing keeps the version.
    const [before, after] = [object, written].map((each) =>
      metadataString(each, 'resourceVersion'),
    );
    if (action === 'update' && before === after) return written;
    log.info(facts, 'cluster changed in the background');
    done(action, reason);
    return written;
  }
}

function pathOf({ resource, object, subresource = '' }: Located): string {
  const [namespace, name] = ['namespace', 'name'].map((field) => metadataString(object, field));
  const path = objectPath(resource, namespace ?? '', name ?? '');
  return subresource === '' ? path : `${path}/${subresource}`;
}

function nameOf(object: KubernetesObject): string {
  const [namespace, name] = ['namespace', 'name'].map((field) => metadataString(object, field));
  return namespace === '' ? `${name}` : `${namespace}/${name}`;
}

/** Returns an object with other members of its metadata; members without a value are removed. */
export function withMetadata(object: JsonObject, changes: JsonObject): JsonObject {
  const metadata = { ...(member(object, 'metadata') as JsonObject | undefined), ...changes };
  const entries = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return { ...object, metadata: Object.fromEntries(entries) };
}
