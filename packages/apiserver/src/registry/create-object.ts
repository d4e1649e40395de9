import { plainObject, prepareNew, withNilLists } from '@kubeadmit/admission/writes';
import {
  type FieldError,
  formatFieldError,
  formatGroupVersion,
  type KubernetesObject,
  kindOfObject,
} from '@kubeadmit/apimachinery';
import { decode } from '@kubeadmit/schemas';
import {
  alreadyExists,
  badRequest,
  beingDeleted,
  invalidObject,
  noNameGenerated,
  plainFailure,
} from '../errors/failures.ts';
import { type Endpoint, keyOf, storedEndpoint } from '../kinds/endpoint.ts';
import { validateObject } from '../kinds/validate-object.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { generateName } from '../objects/generated-name.ts';
import { metadataOf, timeNow, withMetadata } from '../objects/metadata.ts';
import { withStoredDefaults } from '../store/stored-defaults.ts';
import { creationWarnings, preparationWarnings } from '../warnings/object-warnings.ts';
import { type ServiceWrite, withServiceAddresses } from './service-addresses.ts';

/** An object that is to be stored. */
export interface NewObject {
  readonly endpoint: Endpoint;
  readonly namespace: string;
  /** The object as it left the mutating admission. */
  readonly object: KubernetesObject;
  readonly isDryRun: boolean;
  /** Asks the validating admission; throws where it refuses. */
  readonly admit: (object: KubernetesObject) => Promise<void>;
  /** Called with each warning for the client. */
  readonly warn?: ((text: string) => void) | undefined;
  /**
   * Whether every server of the store creates the object, always with the same addresses, which no other object
   * takes.
   */
  readonly isOfServers?: boolean;
}

const attempts = 8;

/** Stores a new object (registry `Store.Create`). */
export async function createObject(
  machinery: Machinery,
  request: NewObject,
): Promise<KubernetesObject> {
  try {
    return await createNamed(machinery, request);
  } finally {
    machinery.registry.serviceClaims.finish(request);
  }
}

async function createNamed(machinery: Machinery, request: NewObject): Promise<KubernetesObject> {
  const { endpoint, object } = request;
  const { name = '', generateName: base = '' } = metadataOf(object);
  const isGenerated = name === '' && base !== '';
  for (let attempt = 1; ; attempt++) {
    const named = isGenerated
      ? withMetadata(object, { name: generateName(base, machinery.options.randomUid) })
      : object;
    const prepared = await prepareObject(machinery, {
      ...request,
      object: named,
      claimant: request.isOfServers ? undefined : request,
    });
    const stored = await storeNew(machinery, request, prepared);
    if (stored !== undefined) return machinery.registry.asServed(stored, endpoint);
    const taken = metadataOf(prepared).name ?? '';
    if (!isGenerated) throw await takenName(machinery, request, taken);
    if (attempt === attempts) throw noNameGenerated(endpoint.name, taken);
  }
}

/**
 * Sets the fields that the server sets, validates the object, and runs validating admission
 * (registry/rest.BeforeCreate). The result is in the storage version; see `storedEndpoint`.
 */
export async function prepareObject(
  machinery: Machinery,
  {
    endpoint,
    namespace,
    object,
    isDryRun,
    admit,
    warn,
    claimant,
  }: NewObject & Pick<ServiceWrite, 'claimant'>,
): Promise<KubernetesObject> {
  const { clock, randomUid } = machinery.options;
  if ((metadataOf(object).resourceVersion ?? '') !== '') {
    throw plainFailure('resourceVersion should not be set on objects to be created');
  }
  const filled = withMetadata(object, {
    ...(endpoint.resource.namespaced ? { namespace } : { namespace: undefined }),
    uid: randomUid(),
    creationTimestamp: timeNow(clock),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    ...(endpoint.strategy.hasGeneration ? { generation: undefined } : {}),
  });
  const { schemas } = machinery.cluster;
  const placed = await withServiceAddresses(machinery, {
    endpoint,
    object: filled,
    old: undefined,
    isDryRun,
    claimant,
  });
  const stored = storedEndpoint(endpoint);
  const { registry } = machinery;
  const given = registry.asStored(placed, endpoint);
  for (const text of preparationWarnings(stored.name, given)) warn?.(text);
  const prepared = prepareNew(stored, given, { schemas });
  checkValid(machinery, stored, prepared, { warn });
  for (const text of creationWarnings(stored.name, prepared, schemas.minor)) warn?.(text);
  await admit(registry.asServed(prepared, endpoint));
  return readBack(machinery, endpoint, prepared);
}

/**
 * An object in the version in which it is stored, as it comes back from the store: with the defaults of that version.
 */
export function readBack(
  { cluster, options }: Machinery,
  { isCustom, name, kind }: Endpoint,
  object: KubernetesObject,
): KubernetesObject {
  if (isCustom || name.group === 'apiextensions.k8s.io') return object;
  const now = timeNow(options.clock);
  const isOther = object['apiVersion'] !== formatGroupVersion(kind);
  const { object: read = object } = isOther ? decode(cluster.schemas, object, { now }) : { object };
  return withNilLists(plainObject(read as KubernetesObject)) as KubernetesObject;
}

// Errors with one text are one, but for definitions (registry/rest `ValidateDeclaratively`).
function told(errors: readonly FieldError[], group: string): readonly FieldError[] {
  if (group === 'apiextensions.k8s.io') return errors;
  return [...new Map(errors.map((error) => [formatFieldError(error), error])).values()];
}

/** Throws the 422 of an object that is invalid. */
export function checkValid(
  machinery: Machinery,
  endpoint: Endpoint,
  object: KubernetesObject,
  before: { readonly old?: KubernetesObject } & Pick<NewObject, 'warn'>,
): void {
  const { schemas, compilers } = machinery.cluster;
  const { old, warn } = before;
  const errors = validateObject(object, { endpoint, schemas, compilers, warn }, old);
  if (errors.length === 0) return;
  // A custom resource may say that it is something else.
  const own = endpoint.isCustom ? kindOfObject(object) : undefined;
  const { group, kind } = own ?? endpoint.kind;
  throw invalidObject({ group, name: kind }, metadataOf(object).name ?? '', told(errors, group));
}

async function storeNew(
  { registry }: Machinery,
  { endpoint, namespace, isDryRun }: NewObject,
  object: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  const name = metadataOf(object).name ?? '';
  const key = keyOf(endpoint, namespace, name);
  if (isDryRun) {
    const isTaken = (await registry.store.get(key)) !== undefined;
    return isTaken ? undefined : withStoredDefaults(object);
  }
  const written = await registry.put(endpoint, key, {
    object,
    expected: 0,
    isCreate: true,
    mayDropManagers: true,
  });
  return written.done ? written.object : undefined;
}

async function takenName(
  { registry }: Machinery,
  { endpoint, namespace }: NewObject,
  name: string,
): Promise<Error> {
  const existing = await registry.get(endpoint, namespace, name);
  return existing !== undefined && metadataOf(existing.object).deletionTimestamp
    ? beingDeleted(endpoint.name, name)
    : alreadyExists(endpoint.name, name);
}

/**
 * Throws the 400 of an object in another namespace than that of the URL; otherwise returns the object with the
 * namespace.
 */
export function inNamespace(
  object: KubernetesObject,
  endpoint: Endpoint,
  namespace: string,
): KubernetesObject {
  const own = metadataOf(object).namespace ?? '';
  if (!endpoint.resource.namespaced) {
    return own === '' ? object : withMetadata(object, { namespace: undefined });
  }
  if (own === namespace) return object;
  if (own === '') return withMetadata(object, { namespace });
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  );
}
