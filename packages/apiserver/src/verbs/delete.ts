import { formatGroupName } from '@kubeadmit/apimachinery';
import { mutate, validate } from '../admission/admission-chain.ts';
import type { AdmissionAttributes } from '../admission/attributes.ts';
import { checkMediaType, mediaTypeOf, readBody, takeBody } from '../decoding/read-body.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ApiResponse } from '../http/response.ts';
import { isCore } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';
import {
  type DeleteOptions,
  deleteOptionsOfQuery,
  readDeleteOptions,
} from '../options/delete-options.ts';
import { readListOptions } from '../options/list-options.ts';
import { checkDeleteBody, readDeleteJson } from '../options/read-delete-body.ts';
import { type DeleteResult, deleteObject } from '../registry/delete-object.ts';
import { readList } from './list.ts';
import { objectResponse, resourceResponse } from './response.ts';

/** Answers `delete` (handlers.DeleteResource). */
export async function deleteResource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { endpoint, info } = exchange;
  const options = await takeOptions(exchange);
  const { object, isGone } = await deleteAdmitted(exchange, options, {
    namespace: info.namespace,
    name: info.name,
  });
  if (!isGone) {
    const isAccepted = options.orphanDependents === false;
    return resourceResponse(exchange, isAccepted ? 202 : 200, object);
  }
  if (returnsObject(exchange)) return resourceResponse(exchange, 200, object);
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: info.name,
      ...(endpoint.name.group === '' ? {} : { group: endpoint.name.group }),
      kind: endpoint.name.name,
      uid: metadataOf(object).uid,
    },
  };
  return objectResponse(200, status, exchange.negotiated);
}

/** Answers `deletecollection` (handlers.DeleteCollection): everything that is selected, one after another. */
export async function deleteCollection(exchange: ResourceExchange): Promise<ApiResponse> {
  const listOptions = readListOptions(exchange.request.query);
  const options = await takeOptions(exchange);
  const { list, items } = await readList(exchange, listOptions);
  for (const item of items) {
    const place = { namespace: metadataOf(item).namespace ?? '', name: nameOf(item) };
    try {
      await deleteAdmitted(exchange, options, { ...place, isOfMany: true });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
    }
  }
  return resourceResponse(exchange, 200, list);
}

async function deleteAdmitted(
  exchange: ResourceExchange,
  options: DeleteOptions,
  {
    namespace,
    name,
    isOfMany = false,
  }: { readonly namespace: string; readonly name: string; readonly isOfMany?: boolean },
): Promise<DeleteResult> {
  const { endpoint, machinery } = exchange;
  const isNamespace = isCore(endpoint, 'namespaces');
  const attributes: AdmissionAttributes = {
    endpoint,
    operation: 'DELETE',
    namespace: isNamespace ? name : namespace,
    // Collections are deleted without their names.
    name: isOfMany ? '' : name,
    object: null,
    oldObject: null,
    options: options.object,
    isDryRun: options.isDryRun,
  };
  return deleteObject(machinery, {
    endpoint,
    namespace,
    name,
    options,
    admit: async (old) => {
      await mutate(exchange, { ...attributes, oldObject: old });
      await validate(exchange, { ...attributes, oldObject: old });
    },
  });
}

/** Resources whose deleted object is returned instead of a Status (registry `ReturnDeletedObject`). */
const returned: ReadonlySet<string> = new Set([
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'services',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourceslices.resource.k8s.io',
]);

function returnsObject({ endpoint: { name } }: ResourceExchange): boolean {
  return returned.has(formatGroupName(name));
}

async function takeOptions(exchange: ResourceExchange): Promise<DeleteOptions> {
  const { request, machinery } = exchange;
  const { codecs } = machinery.options;
  const bytes = await takeBody(request);
  if (bytes.length === 0) return readDeleteOptions(deleteOptionsOfQuery(request.query));
  const mediaType = mediaTypeOf(request);
  checkMediaType(mediaType, codecs);
  const expected = { apiVersion: 'v1', kind: 'DeleteOptions' };
  const { schemas } = machinery.cluster;
  const value =
    mediaType === 'application/json'
      ? readDeleteJson(bytes)
      : readBody({ mediaType, bytes }, expected, { schemas, codecs }).value;
  return readDeleteOptions(checkDeleteBody(value));
}
