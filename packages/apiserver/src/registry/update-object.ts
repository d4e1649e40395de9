import { beforeUpdate } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import { deepEqual } from '@kubeadmit/go';
import {
  conflict,
  invalidObject,
  modifiedText,
  notFound,
  plainFailure,
} from '../errors/failures.ts';
import { type Endpoint, isCore, keyOf, storedEndpoint } from '../kinds/endpoint.ts';
import { withConditionTimes } from '../kinds/signing-requests.ts';
import type { Machinery } from '../machinery/machinery.ts';
import {
  metadataOf,
  timeNow,
  versionProblem,
  withMetadata,
  withRevision,
} from '../objects/metadata.ts';
import type { StoredObject } from '../store/registry.ts';
import { isCompleted, withStoredDefaults } from '../store/stored-defaults.ts';
import { changeWarnings } from '../warnings/object-warnings.ts';
import { checkValid, prepareObject, readBack } from './create-object.ts';
import { withServiceAddresses } from './service-addresses.ts';

export interface ChangedObject {
  readonly endpoint: Endpoint;
  readonly namespace: string;
  readonly name: string;
  readonly isDryRun: boolean;
  /** Creates a missing object, as server-side apply does. */
  readonly createsMissing?: boolean | undefined;
  /** A missing resource version of the result means the stored one, as in patches. */
  readonly isPatch?: boolean | undefined;
  /** Whether it may be stored without its managed fields where it is too large with them. */
  readonly mayDropManagers?: boolean | undefined;
  /** Whether the server makes the change itself, as a binding: it is not validated as a change of users. */
  readonly isOfServers?: boolean | undefined;
  /** Makes the new object from the stored one. */
  readonly change: (existing: KubernetesObject | undefined) => Promise<KubernetesObject>;
  /** Asks the validating admission; throws where it refuses. */
  readonly admit: (object: KubernetesObject, old: KubernetesObject | undefined) => Promise<void>;
  /** Receives warnings for the client. */
  readonly warn?: (text: string) => void;
}

/** The result of a change. */
export interface UpdateResult {
  readonly object: KubernetesObject;
  readonly isCreated: boolean;
}

/**
 * Changes a stored object (registry `Store.Update`). If another write was faster, the change is repeated with the new
 * object, unless the client named the version that it expects.
 */
export async function updateObject(
  machinery: Machinery,
  request: ChangedObject,
): Promise<UpdateResult> {
  try {
    return await updateStored(machinery, request);
  } finally {
    machinery.registry.serviceClaims.finish(request);
  }
}

async function updateStored(machinery: Machinery, request: ChangedObject): Promise<UpdateResult> {
  const { endpoint, namespace, name } = request;
  let current = await machinery.registry.get(endpoint, namespace, name);
  for (;;) {
    const attempt =
      current === undefined
        ? await create(machinery, request)
        : await change(machinery, request, current);
    if ('result' in attempt) return attempt.result;
    current = attempt.current;
  }
}

type Attempt = { readonly result: UpdateResult } | { readonly current: StoredObject | undefined };

async function create(machinery: Machinery, request: ChangedObject): Promise<Attempt> {
  const { endpoint, namespace, name, isDryRun } = request;
  if (!endpoint.strategy.createsOnUpdate && request.createsMissing !== true) {
    throw notFound(endpoint.name, name);
  }
  const made = await request.change(undefined);
  const prepared = await prepareObject(machinery, {
    endpoint,
    namespace,
    object: withMetadata(made, { resourceVersion: undefined }),
    isDryRun,
    admit: (object) => request.admit(object, undefined),
    warn: request.warn,
    claimant: request,
  });
  const { registry } = machinery;
  const answered = (object: KubernetesObject): UpdateResult => ({
    object: registry.asServed(object, endpoint),
    isCreated: true,
  });
  if (isDryRun) return { result: answered(withStoredDefaults(prepared)) };
  const key = keyOf(endpoint, namespace, name);
  const written = await registry.put(endpoint, key, {
    object: prepared,
    expected: 0,
    mayDropManagers: request.mayDropManagers,
  });
  return written.done ? { result: answered(written.object) } : { current: written.current };
}

async function change(
  machinery: Machinery,
  request: ChangedObject,
  existing: StoredObject,
): Promise<Attempt> {
  const { endpoint, namespace, name, isDryRun } = request;
  const { registry } = machinery;
  const stored = storedEndpoint(endpoint);
  const made = await request.change(existing.object);
  const old = registry.asStored(existing.object, endpoint);
  const versioned = withExpectedVersion(request, made, existing);
  const requested = registry.asStored(versioned, endpoint);
  const { schemas } = machinery.cluster;
  const restored = beforeUpdate(schemas, stored, requested, old);
  const changed = await withServiceAddresses(machinery, {
    endpoint,
    object: withConditionTimes(stored, restored, {
      old,
      now: timeNow(machinery.options.clock),
    }),
    old,
    isDryRun,
    claimant: request,
  });
  if (request.isOfServers !== true) {
    checkValid(machinery, stored, changed, { old, warn: request.warn });
  }
  if (endpoint.subresource === undefined) {
    for (const text of changeWarnings(stored.name, { object: changed, old }, schemas.minor))
      request.warn?.(text);
  }
  await request.admit(registry.asServed(changed, endpoint), existing.object);
  const prepared = readBack(machinery, endpoint, changed);
  const answered = (object: KubernetesObject): UpdateResult => ({
    object: registry.asServed(object, endpoint),
    isCreated: false,
  });
  const key = keyOf(endpoint, namespace, name);
  if (isFinished(endpoint, prepared)) {
    if (isDryRun) return { result: answered(prepared) };
    const expected = existing.revision;
    const deleted = await registry.delete(endpoint, key, { object: prepared, expected });
    return deleted.done
      ? { result: answered(withRevision(prepared, existing.revision)) }
      : { current: deleted.current };
  }
  if (isDryRun) return { result: answered(prepared) };
  if (isSame(prepared, old) && !isCompleted(existing.object))
    return { result: { object: existing.object, isCreated: false } };
  const written = await registry.put(endpoint, key, {
    object: prepared,
    expected: existing.revision,
    mayDropManagers: request.mayDropManagers,
  });
  if (written.done) return { result: answered(written.object) };
  return { current: written.current };
}

// The version that is there, where the client's is the same or need not be given.
function withExpectedVersion(
  { endpoint, name, isPatch }: ChangedObject,
  object: KubernetesObject,
  { revision }: StoredObject,
): KubernetesObject {
  const given = metadataOf(object).resourceVersion ?? '';
  const problem = given === '' ? undefined : versionProblem(given);
  if (problem !== undefined) throw plainFailure(problem);
  if (given === '' || Number(given) === 0) {
    if (!endpoint.strategy.updatesUnconditionally && isPatch !== true) {
      const { group, name: resource } = endpoint.name;
      const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
      throw invalidObject({ group, name: resource }, name, [error]);
    }
    return withRevision(object, revision);
  }
  if (Number(given) !== revision) throw conflict(endpoint.name, name, modifiedText);
  return object;
}

// An object that is being deleted goes when its last finalizer does (registry `ShouldDeleteDuringUpdate`).
function isFinished(endpoint: Endpoint, object: KubernetesObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = metadataOf(object);
  if (!deletionTimestamp || (finalizers?.length ?? 0) > 0) return false;
  if (isCore(endpoint, 'namespaces')) {
    return memberList(member(object, 'spec'), 'finalizers').length === 0;
  }
  if (endpoint.subresource !== undefined && endpoint.name.name === 'pods') return false;
  return Number(deletionGracePeriodSeconds ?? 0) === 0;
}

/** Whether two states of an object are the same but for the times of the record of its fields. */
function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return deepEqual(withoutTimes(a), withoutTimes(b));
}

function withoutTimes(object: KubernetesObject): KubernetesObject {
  const entries = metadataOf(object).managedFields;
  if (!entries) return object;
  return withMetadata(object, { managedFields: entries.map(({ time: _, ...entry }) => entry) });
}
