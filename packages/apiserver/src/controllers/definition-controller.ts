import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { listResources } from '@kubeadmit/schemas';
import { acceptNames, withCondition } from '../definitions/accepted-names.ts';
import {
  type Condition,
  cleanupFinalizer,
  conditionsOf,
  groupOfDefinition,
  isEstablished,
} from '../definitions/conditions.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ApiClient } from '../http/api-client.ts';
import { endpointOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf, timeNow } from '../objects/metadata.ts';
import { readDeleteOptions } from '../options/delete-options.ts';
import { type DeletedObject, deleteObject } from '../registry/delete-object.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const lookAgainAfter = 100;

/** Accepts the names of a definition, or ends it when its objects are gone. */
export async function reconcileDefinition(
  machinery: Machinery,
  client: ApiClient,
  definition: KubernetesObject,
): Promise<number | undefined> {
  if (metadataOf(definition).deletionTimestamp) return endDefinition(machinery, client, definition);
  // Wait for earlier writes, so that two definitions never take a name at the same time.
  await machinery.cluster.caughtUp(machinery.registry.lastWrite);
  const others = [...machinery.cluster.definitionsOf(groupOfDefinition(definition)).values()];
  const now = timeNow(machinery.options.clock);
  const { acceptedNames, conditions } = acceptNames(definition, others, now);
  const status = (member(definition, 'status') ?? {}) as KubernetesObject;
  const isSame =
    deepEqual(status['acceptedNames'], acceptedNames) &&
    deepEqual(conditionsOf(definition), conditions);
  if (isSame) return undefined;
  await client.ask({
    method: 'PUT',
    path: `${path}/${nameOf(definition)}/status`,
    body: { ...definition, status: { ...status, acceptedNames, conditions } },
  });
  return undefined;
}

// Objects that finalizers hold keep their definition (apiextensions finalizer controller).
async function endDefinition(
  machinery: Machinery,
  client: ApiClient,
  definition: KubernetesObject,
): Promise<number | undefined> {
  const finalizers = metadataOf(definition).finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) return undefined;
  const change = new DefinitionChange(machinery, client, definition);
  if (isEstablished(definition)) {
    await change.setTerminating('True', 'InstanceDeletionInProgress', inProgress);
    if (!(await deleteInstances(machinery, definition))) return lookAgainAfter;
    await change.setTerminating('False', 'InstanceDeletionCompleted', 'removed all instances');
  } else {
    await change.setTerminating('False', 'NeverEstablished', 'resource was never established');
  }
  await change.merge('', {
    metadata: { finalizers: finalizers.filter((name) => name !== cleanupFinalizer) },
  });
  return undefined;
}

const inProgress = 'CustomResource deletion is in progress';

/** Changes of one definition that follow each other. */
class DefinitionChange {
  readonly #machinery: Machinery;
  readonly #client: ApiClient;
  readonly #path: string;
  #conditions: readonly Condition[];

  constructor(machinery: Machinery, client: ApiClient, definition: KubernetesObject) {
    this.#machinery = machinery;
    this.#client = client;
    this.#path = `${path}/${nameOf(definition)}`;
    this.#conditions = conditionsOf(definition);
  }

  async setTerminating(
    status: Condition['status'],
    reason: string,
    message: string,
  ): Promise<void> {
    const lastTransitionTime = timeNow(this.#machinery.options.clock);
    const condition = { type: 'Terminating', status, lastTransitionTime, reason, message };
    const conditions = withCondition(this.#conditions, condition);
    if (deepEqual(conditions, this.#conditions)) return;
    await this.merge('/status', { status: { conditions } });
    this.#conditions = conditions;
  }

  /** Sends a merge patch to the definition or one of its subresources. */
  async merge(subresource: string, body: KubernetesObject): Promise<void> {
    await this.#client.ask({
      method: 'PATCH',
      path: this.#path + subresource,
      contentType: 'application/merge-patch+json',
      body,
    });
  }
}

/** Deletes the objects of a definition without admission; returns whether all are gone. */
async function deleteInstances(
  machinery: Machinery,
  definition: KubernetesObject,
): Promise<boolean> {
  const group = groupOfDefinition(definition);
  const plural = String(member(member(member(definition, 'spec'), 'names'), 'plural') ?? '');
  const { cluster, registry } = machinery;
  const resource = listResources(cluster.schemas).find(
    (each) => each.definition === nameOf(definition),
  );
  const prefix = `/registry/${group}/${plural}/`;
  const { entries } = await registry.store.range({ prefix });
  for (const entry of entries) {
    if (resource === undefined) {
      await registry.store.delete(entry.key, { expected: entry.revision });
      continue;
    }
    const { namespace = '' } = metadataOf(registry.cache.objectOf(entry));
    const name = nameOf(registry.cache.objectOf(entry));
    await deleteInstance(machinery, {
      endpoint: endpointOf(cluster.schemas, resource),
      namespace,
      name,
    });
  }
  registry.lastWrite = Math.max(registry.lastWrite, await registry.store.revision());
  const left = await registry.store.range({ prefix, limit: 1 });
  return left.entries.length === 0;
}

async function deleteInstance(
  machinery: Machinery,
  place: Pick<DeletedObject, 'endpoint' | 'namespace' | 'name'>,
): Promise<void> {
  const options = readDeleteOptions({});
  try {
    await deleteObject(machinery, { ...place, options, admit: async () => {} });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
  }
}
