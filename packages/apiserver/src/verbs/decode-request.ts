import { trackUpdate } from '@kubeadmit/admission/managed-fields';
import { plainObject } from '@kubeadmit/admission/writes';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { decodeUtf8Leniently } from '@kubeadmit/go';
import { decodeObject } from '../decoding/decode-object.ts';
import { inTextOrder } from '../decoding/finding-order.ts';
import { checkMediaType, headOf, mediaTypeOf, readBody, takeBody } from '../decoding/read-body.ts';
import { headerOf } from '../http/request.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf, timeNow, withMetadata } from '../objects/metadata.ts';
import { managerOf, type WriteOptions } from '../options/write-options.ts';

/** The kind of the objects that an endpoint takes. */
export function bodyKind({ endpoint }: ResourceExchange): GroupVersionKind {
  const { subresource, kind } = endpoint;
  return subresource === undefined
    ? kind
    : { group: subresource.group, version: subresource.version, kind: subresource.kind };
}

/** Reads and decodes the object of a create or update; problems of its fields become warnings. */
export async function decodeRequest(
  exchange: ResourceExchange,
  { fieldValidation }: WriteOptions,
): Promise<KubernetesObject> {
  const { machinery, endpoint, request } = exchange;
  const { codecs, clock } = machinery.options;
  const mediaType = mediaTypeOf(request);
  checkMediaType(mediaType, codecs);
  const bytes = await takeBody(request);
  const { schemas } = machinery.cluster;
  const kind = bodyKind(exchange);
  const expected = { apiVersion: formatGroupVersion(kind), kind: kind.kind };
  const body = readBody({ mediaType, bytes }, expected, { schemas, codecs });
  const { object, warnings } = decodeObject(body, {
    schemas,
    kind,
    fieldValidation,
    now: timeNow(clock),
    isCustom: endpoint.isCustom && endpoint.subresource?.name !== 'scale',
    isUpdate: exchange.info.verb === 'update',
    head: () => headOf(bytes),
    order: (findings) =>
      mediaType === 'application/json' && !endpoint.isCustom
        ? inTextOrder(decodeUtf8Leniently(bytes), findings)
        : findings,
  });
  exchange.warnings.push(...warnings);
  exchange.audited.requestObject = object;
  return withResetRecord(plainObject(object as KubernetesObject), body.value);
}

/** An object with the empty record of fields that resets it, which decoding does not keep apart from none. */
export function withResetRecord(object: KubernetesObject, given: unknown): KubernetesObject {
  const record = member(member(given, 'metadata'), 'managedFields');
  const isReset = Array.isArray(record) && record.length === 0;
  return isReset ? withMetadata(object, { managedFields: [] }) : object;
}

/** An object without repeated references to owners, which it is warned about. */
export function withoutRepeatedOwners(
  exchange: ResourceExchange,
  object: KubernetesObject,
): KubernetesObject {
  const owners = metadataOf(object).ownerReferences ?? [];
  if (owners.length < 2) return object;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const kept = owners.filter((owner) => {
    const text = JSON.stringify(owner);
    if (seen.has(text)) repeated.add(owner.uid ?? '');
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
  if (repeated.size === 0) return object;
  exchange.warnings.push(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
  return withMetadata(object, { ownerReferences: kept });
}

/**
 * Returns an object with the fields that the user of a request manages; `live` is the old object, empty for a new one.
 */
export function tracked(
  { machinery, endpoint, request }: ResourceExchange,
  options: WriteOptions,
  live: KubernetesObject,
  object: KubernetesObject,
): KubernetesObject {
  return trackUpdate(live, object, {
    endpoint,
    schemas: machinery.cluster.schemas,
    manager: managerOf(options, headerOf(request, 'user-agent')),
    now: timeNow(machinery.options.clock),
  });
}
