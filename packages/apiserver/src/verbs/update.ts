import { withRequester } from '@kubeadmit/admission/writes';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { policyGroup } from '@kubeadmit/engine';
import { mutate, validate } from '../admission/admission-chain.ts';
import type { AdmissionAttributes } from '../admission/attributes.ts';
import { checkClaimPermissions } from '../admission/claim-permissions.ts';
import { checkPolicyPermissions } from '../admission/policy-permissions.ts';
import { authorizeVerb } from '../authorization/authorize.ts';
import { checkEscalation } from '../authorization/escalation.ts';
import { badRequest, conflict } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import { type Endpoint, keyOf } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf, nameOf, withMetadata } from '../objects/metadata.ts';
import { readWriteOptions, type WriteOptions } from '../options/write-options.ts';
import { inNamespace } from '../registry/create-object.ts';
import { type UpdateResult, updateObject } from '../registry/update-object.ts';
import { namespaceOf } from './create.ts';
import { decodeRequest, tracked, withoutRepeatedOwners } from './decode-request.ts';
import { resourceResponse } from './response.ts';

/** Answers `update` (handlers.UpdateResource). */
export async function updateResource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { endpoint, info, request } = exchange;
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const decoded = await decodeRequest(exchange, options);
  const placed = inNamespace(decoded, endpoint, info.namespace);
  checkName(placed, info.name);
  const { object, isCreated } = await storeChange(exchange, {
    options,
    operation: 'update',
    change: async (existing) => {
      checkUid(exchange, placed, existing);
      return placed;
    },
  });
  return resourceResponse(exchange, isCreated ? 201 : 200, object);
}

/** Throws the 400 of an object whose name is not that of the URL. */
export function checkName(object: KubernetesObject, name: string): void {
  const own = nameOf(object);
  if (own === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (own !== name) {
    throw badRequest(
      `the name of the object (${own}) does not match the name on the URL (${name})`,
    );
  }
}

// A client that names a uid means that object and no other.
function checkUid(
  { endpoint, info }: ResourceExchange,
  object: KubernetesObject,
  existing: KubernetesObject | undefined,
): void {
  const given = metadataOf(object).uid ?? '';
  const own = (existing && metadataOf(existing).uid) ?? '';
  if (given === '' || given === own) return;
  const key = keyOf(endpoint, info.namespace, info.name);
  const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${own}`;
  throw conflict(endpoint.name, info.name, text);
}

/** A change of an object that goes through admission on its way. */
export interface StoredChange {
  readonly options: WriteOptions;
  readonly operation: 'update' | 'patch' | 'apply';
  /** Makes the new object, before anything is recorded or mutated. */
  readonly change: (existing: KubernetesObject | undefined) => Promise<KubernetesObject>;
}

/** Changes an object: builds it, records field managers, mutates, validates and stores it. */
export async function storeChange(
  exchange: ResourceExchange,
  { options, operation, change }: StoredChange,
): Promise<UpdateResult> {
  const { machinery, endpoint, info } = exchange;
  const { isDryRun } = options;
  const attributesFor = (
    object: KubernetesObject,
    existing: KubernetesObject | undefined,
  ): AdmissionAttributes => ({
    endpoint,
    operation: existing === undefined ? 'CREATE' : 'UPDATE',
    namespace: namespaceOf(exchange, object),
    name: info.name,
    object,
    oldObject: existing ?? null,
    options: admissionOptions(options, existing === undefined ? 'CreateOptions' : 'UpdateOptions'),
    isDryRun,
  });
  return updateObject(machinery, {
    endpoint,
    namespace: info.namespace,
    name: info.name,
    isDryRun,
    createsMissing: operation === 'apply' && mayCreate(endpoint),
    isPatch: operation !== 'update',
    mayDropManagers: operation !== 'apply',
    change: async (existing) => {
      const made = await change(existing);
      const own = withoutRepeatedOwners(exchange, made);
      const recorded =
        operation === 'apply' ? own : tracked(exchange, options, existing ?? {}, own);
      const kept = keepSystemFields(recorded, existing);
      const mutated = (await mutate(exchange, attributesFor(kept, existing))) ?? kept;
      const { uid, creationTimestamp } = metadataOf(recorded);
      checkEscalation(exchange, withMetadata(mutated, { uid, creationTimestamp }), existing);
      const changed = withoutRepeatedOwners(exchange, mutated);
      return existing === undefined
        ? withRequester(endpoint, changed, exchange.request.user)
        : changed;
    },
    admit: async (object, existing) => {
      const attributes = attributesFor(object, existing);
      checkPolicyPermissions(exchange, attributes);
      checkClaimPermissions(exchange, attributes);
      if (existing === undefined) authorizeVerb(exchange, 'create');
      await validate(exchange, attributes);
    },
    warn: (text) => void exchange.warnings.push(text),
  });
}

/** The options of a write as admission sees them: patches are updates (handlers `patchToUpdateOptions`). */
export function admissionOptions(
  { object }: WriteOptions,
  kind: 'CreateOptions' | 'UpdateOptions',
): KubernetesObject {
  const { force: _, ...rest } = object;
  return { ...rest, kind };
}

// Applying to a subresource changes a stored object; only the status of policies tries to create a missing one.
function mayCreate({ subresource, name }: Endpoint): boolean {
  return subresource === undefined || name.group === policyGroup;
}

// Policies see system fields as they are stored.
function keepSystemFields(
  object: KubernetesObject,
  existing: KubernetesObject | undefined,
): KubernetesObject {
  if (existing === undefined) return object;
  const { uid, creationTimestamp } = metadataOf(existing);
  const own = metadataOf(object);
  return withMetadata(object, {
    uid: own.uid || uid,
    creationTimestamp: own.creationTimestamp ?? creationTimestamp,
  });
}
