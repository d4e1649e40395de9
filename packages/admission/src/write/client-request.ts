import {
  formatGroupName,
  isObject,
  type KubernetesObject,
  memberObject,
} from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import type { RequestAttributes } from '@kubeadmit/engine';
import { findResource, type Schemas } from '@kubeadmit/schemas';
import { beforeUpdate } from './before-update.ts';
import { type Endpoint, endpointOf, storedEndpoint } from './endpoint.ts';
import { trackUpdate } from './field-manager.ts';
import { metadataOf, nameOf, withMember, withMetadata } from './metadata.ts';
import { withNilLists } from './nil-lists.ts';
import { prepareNew } from './prepare-new.ts';
import { withRequester } from './requester.ts';
import { withFirstAddresses } from './service-allocation.ts';
import { plainObject, toVersion } from './to-version.ts';

/** The facts that a server has when it reads the object of a client. */
export interface ClientWrite {
  readonly schemas: Schemas;
  /** The time of the request, RFC 3339. */
  readonly now: string;
  /** The object as the client sent it, not decoded. */
  readonly sent: KubernetesObject | null;
  /** Whether mutating admission made another object of the decoded one; default false. */
  readonly isMutated?: boolean;
}

/** Values in place of those that a server draws at random, so that the same input gives the same answer. */
const placeholder = {
  uid: '00000000-0000-4000-8000-000000000000',
  resourceVersion: '1',
  nameSuffix: 'xxxxx',
  /** Chooses the address 10.0.0.100 and the node port 30099. */
  random: 99,
};

/** The field manager of new objects. */
const creator = 'kubectl-create';
/** The field manager of updates. */
const updater = 'kubectl-replace';

/**
 * Returns a request that a client sends as mutating admission sees it: the fields that the server owns are cleared, the
 * fields of the client are recorded in `managedFields`, and the old object is one that is stored.
 */
export function requestOfClient(request: RequestAttributes, write: ClientWrite): RequestAttributes {
  const { operation, object, oldObject } = request;
  const endpoint = endpointFor(request, write.schemas);
  if (operation === 'CREATE' && object !== null && request.subresource === '') {
    const context = { endpoint, write, manager: creator };
    return { ...request, object: withProtection(endpoint, tracked({}, cleared(object), context)) };
  }
  if (operation === 'CREATE' && object !== null && recordedActions.has(request.subresource)) {
    const own = endpoint && { ...endpoint, kind: request.kind };
    return { ...request, object: tracked({}, object, { endpoint: own, write, manager: creator }) };
  }
  if (oldObject === null) return request;
  if (!isWhole(endpoint, oldObject)) {
    return { ...request, oldObject: withSystemFields(oldObject, write) };
  }
  const old = storedObject(oldObject, { request, endpoint, write });
  if (object === null) return { ...request, oldObject: old };
  const { resourceVersion = '' } = metadataOf(object);
  const versioned =
    resourceVersion === ''
      ? withMetadata(object, { resourceVersion: metadataOf(old).resourceVersion })
      : object;
  const changed = tracked(old, versioned, { endpoint, write, manager: updater });
  return { ...request, object: changed, oldObject: old };
}

/**
 * Returns the object of a request as validating admission sees it: mutating admission's object after registry/rest
 * `BeforeCreate` and `BeforeUpdate`.
 */
export function writtenObject(
  request: RequestAttributes,
  object: KubernetesObject,
  write: ClientWrite,
): KubernetesObject {
  const { operation, subresource, oldObject } = request;
  const endpoint = endpointFor(request, write.schemas);
  if (operation === 'CREATE' && subresource === '') {
    return isStored(endpoint) ? newObject(object, { request, endpoint, write }) : object;
  }
  if (operation === 'CREATE' && subresource === 'token') {
    return withMetadata(object, { uid: placeholder.uid, creationTimestamp: write.now });
  }
  if (operation !== 'UPDATE' || oldObject === null || endpoint === undefined) return object;
  if (!isWhole(endpoint, object)) return withFieldsOf(object, oldObject);
  return inStoredVersion(endpoint, write, object, (stored, inVersion) => {
    const old = inVersion(oldObject);
    const changed = beforeUpdate(write.schemas, stored, inVersion(object), old);
    return withFirstAddresses(
      { endpoint, object: changed, old, isDryRun: request.dryRun },
      () => placeholder.random,
    );
  });
}

/** Subresources whose new objects get a record of their fields. */
const recordedActions: ReadonlySet<string> = new Set(['binding', 'token']);

// A Scale shows the system fields of the object that it is made of.
function withSystemFields(scale: KubernetesObject, { now }: ClientWrite): KubernetesObject {
  const { uid, resourceVersion, creationTimestamp } = metadataOf(scale);
  return withMetadata(scale, {
    uid: uid || placeholder.uid,
    resourceVersion: resourceVersion || placeholder.resourceVersion,
    creationTimestamp: creationTimestamp ?? now,
  });
}

function withFieldsOf(scale: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const { uid, resourceVersion, creationTimestamp } = metadataOf(old);
  return withMetadata(scale, { uid, resourceVersion, creationTimestamp });
}

interface Context {
  readonly request: RequestAttributes;
  readonly endpoint: Endpoint | undefined;
  readonly write: ClientWrite;
}

function endpointFor(
  { resource, subresource }: RequestAttributes,
  schemas: Schemas,
): Endpoint | undefined {
  const found = findResource(schemas, resource);
  if (found === undefined) return undefined;
  const own = found.subresources.find(({ name }) => name === subresource);
  return { ...endpointOf(schemas, found), subresource: own };
}

/** Whether objects of an endpoint are kept: reviews are answered only. */
function isStored(endpoint: Endpoint | undefined): boolean {
  return endpoint === undefined || endpoint.resource.verbs.includes('get');
}

/** Whether an object is one of the resource itself, and not one of the kind of a subresource such as a Scale. */
function isWhole(endpoint: Endpoint | undefined, object: KubernetesObject): boolean {
  return endpoint === undefined || object['kind'] === endpoint.kind.kind;
}

// handlers.CreateResource: `rest.WipeObjectMetaSystemFields`; an object that is created has no version.
function cleared(object: KubernetesObject): KubernetesObject {
  return withMetadata(object, {
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    resourceVersion: undefined,
  });
}

/** The finalizers that the admission plugin StorageObjectInUseProtection adds to new objects. */
const protection: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

function withProtection(
  endpoint: Endpoint | undefined,
  object: KubernetesObject,
): KubernetesObject {
  const finalizer = endpoint && protection[formatGroupName(endpoint.name)];
  const { finalizers } = metadataOf(object);
  if (finalizer === undefined || finalizers?.includes(finalizer)) return object;
  return withMetadata(object, { finalizers: [...(finalizers ?? []), finalizer] });
}

function tracked(
  live: KubernetesObject,
  object: KubernetesObject,
  {
    endpoint,
    write: { schemas, now },
    manager,
  }: Omit<Context, 'request'> & { readonly manager: string },
): KubernetesObject {
  if (endpoint === undefined) return object;
  const recorded = trackUpdate(live, plainObject(object), { endpoint, schemas, manager, now });
  return withMetadata(object, { managedFields: metadataOf(recorded).managedFields });
}

// registry/rest.BeforeCreate
function newObject(
  object: KubernetesObject,
  { request, endpoint, write }: Context,
  isReadBack = false,
): KubernetesObject {
  const { generateName = '' } = metadataOf(object);
  const isGenerated = nameOf(object) === '' && generateName !== '';
  const filled = withMetadata(object, {
    ...(isGenerated ? { name: generatedName(generateName) } : {}),
    uid: placeholder.uid,
    creationTimestamp: write.now,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
  // A kind without a schema is that of a definition which was not given; those count generations.
  if (endpoint === undefined) return withMetadata(filled, { generation: 1 });
  const isCounted = endpoint.strategy.hasGeneration;
  const counted = isCounted ? withMetadata(filled, { generation: undefined }) : filled;
  const placed = withFirstAddresses(
    { endpoint, object: counted, old: undefined, isDryRun: request.dryRun },
    () => placeholder.random,
  );
  const { schemas, isMutated = false, sent } = write;
  // A job that is read from the store gets the labels of its template by defaulting.
  const sharesLabels = isReadBack || (!isMutated && hasTemplateLabels(sent));
  return inStoredVersion(endpoint, write, placed, (stored, inVersion) =>
    withRequester(
      stored,
      prepareNew(stored, inVersion(placed), { schemas, sharesLabels }),
      request.user,
    ),
  );
}

// Go keeps labels that are empty apart from labels that are not there.
function hasTemplateLabels(sent: KubernetesObject | null): boolean {
  const template = memberObject(memberObject(sent ?? {}, 'spec'), 'template');
  return isObject(memberObject(template, 'metadata')['labels']);
}

const longestBase = 58;

export function generatedName(base: string): string {
  return base.slice(0, longestBase) + placeholder.nameSuffix;
}

// Fields that the manifest of an old object omits are set as for a new object; given system fields are kept.
function storedObject(manifest: KubernetesObject, context: Context): KubernetesObject {
  const { endpoint, write } = context;
  const given = metadataOf(manifest);
  const isOfServer = (given.uid ?? '') !== '';
  const made = isOfServer ? manifest : firstStored(manifest, context);
  const recorded =
    given.managedFields === undefined && endpoint?.subresource === undefined
      ? tracked({}, cleared(manifest), { endpoint, write, manager: creator })
      : manifest;
  return withMetadata(made, {
    resourceVersion: given.resourceVersion || placeholder.resourceVersion,
    creationTimestamp: given.creationTimestamp ?? write.now,
    uid: given.uid || placeholder.uid,
    managedFields: metadataOf(recorded).managedFields,
    ...defined({ generation: given.generation }),
  });
}

function firstStored(manifest: KubernetesObject, context: Context): KubernetesObject {
  const { endpoint } = context;
  const created = newObject(withProtection(endpoint, manifest), context, true);
  const isBuiltin = endpoint !== undefined && !endpoint.isCustom;
  const isKept = isBuiltin && endpoint.name.group !== 'apiextensions.k8s.io';
  const made = isKept ? (withNilLists(plainObject(created)) as KubernetesObject) : created;
  const { status } = manifest;
  return isObject(status) && Object.keys(status).length > 0
    ? withMember(made, 'status', { ...memberObject(made, 'status'), ...status })
    : made;
}

// Strategies work on the version in which objects are stored.
function inStoredVersion(
  endpoint: Endpoint,
  { schemas }: ClientWrite,
  object: KubernetesObject,
  change: (
    stored: Endpoint,
    inVersion: (object: KubernetesObject) => KubernetesObject,
  ) => KubernetesObject,
): KubernetesObject {
  const stored = storedEndpoint(endpoint);
  if (stored === endpoint) return change(stored, (same) => same);
  const convert = (from: KubernetesObject, kind: Endpoint['kind']): KubernetesObject => {
    const converted = toVersion(schemas, from, kind);
    return 'error' in converted ? from : converted.object;
  };
  if ('error' in toVersion(schemas, object, stored.kind)) return object;
  return convert(
    change(stored, (each) => convert(each, stored.kind)),
    endpoint.kind,
  );
}
