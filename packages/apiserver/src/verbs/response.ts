import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { notAcceptable } from '../errors/failures.ts';
import type { ResourceExchange } from '../machinery.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
import { metadataOf } from '../objects/metadata.ts';
import type { ApiResponse } from '../response.ts';
import { tableOf } from '../tables/table.ts';

/** An answer that is one object, in the media type that was negotiated. */
export function objectResponse(
  status: number,
  value: KubernetesObject,
  { mediaType, isPretty }: Negotiated,
): ApiResponse {
  return {
    status,
    headers: { 'content-type': mediaType },
    body: { type: 'object', value, mediaType, isPretty },
  };
}

/** An answer that is an object or a list of a resource, in the form that was negotiated. */
export function resourceResponse(
  exchange: ResourceExchange,
  status: number,
  value: KubernetesObject,
): ApiResponse {
  return objectResponse(status, inForm(exchange, value), exchange.negotiated);
}

/** An object or list in the form that was negotiated (handlers.transformResponseObject). */
export function inForm(exchange: ResourceExchange, value: KubernetesObject): KubernetesObject {
  const { form } = exchange.negotiated;
  if (form === undefined) return value;
  const version = `meta.k8s.io/${form.version}`;
  const isList = Array.isArray(value['items']);
  if (form.kind === 'Table') {
    return tableOf(exchange, value, { apiVersion: version, hasColumns: true });
  }
  if (form.kind === 'PartialObjectMetadata') {
    if (isList) throw notAcceptable(['application/json', 'application/yaml']);
    return partialMetadata(value, version);
  }
  if (!isList) throw notAcceptable(['application/json', 'application/yaml']);
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: version,
    metadata: value['metadata'],
    items: (value['items'] as readonly KubernetesObject[]).map((item) =>
      partialMetadata(item, version),
    ),
  };
}

/** The metadata of an object alone (meta/v1 PartialObjectMetadata). */
export function partialMetadata(object: KubernetesObject, apiVersion: string): KubernetesObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: metadataOf(object) };
}
