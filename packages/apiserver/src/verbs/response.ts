import { internalMetadata } from '@kubeadmit/admission/writes';
import { type KubernetesObject, memberObjects } from '@kubeadmit/apimachinery';
import { notAcceptable } from '../errors/failures.ts';
import { headerOf } from '../http/request.ts';
import type { ApiResponse } from '../http/response.ts';
import type { Exchange, ResourceExchange } from '../machinery/machinery.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
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

/** An answer that is one document in JSON. */
export function jsonResponse(
  value: KubernetesObject,
  headers: ApiResponse['headers'] = { 'content-type': 'application/json' },
): ApiResponse {
  const body = { type: 'object', value, mediaType: 'application/json', isPretty: false } as const;
  return { status: 200, headers, body };
}

interface DocumentHeaders {
  readonly etag: string;
  readonly 'content-type': string;
  readonly [name: string]: string;
}

/** A document with its entity tag, which is not sent again to who has it (Go's `http.ServeContent`). */
export function taggedResponse(
  { request }: Exchange,
  value: KubernetesObject,
  { 'content-type': type, ...headers }: DocumentHeaders,
): ApiResponse {
  const isKnown = headerOf(request, 'if-none-match') === headers.etag;
  if (isKnown) return { status: 304, headers, body: { type: 'none' } };
  return jsonResponse(value, { ...headers, 'content-type': type });
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
function inForm(exchange: ResourceExchange, value: KubernetesObject): KubernetesObject {
  const { form } = exchange.negotiated;
  if (form === undefined) return value;
  const version = `meta.k8s.io/${form.version}`;
  const isList = Array.isArray(value['items']);
  if (form.kind === 'Table') {
    return tableOf(exchange, value, { apiVersion: version, hasColumns: true });
  }
  if (form.kind === 'PartialObjectMetadata') {
    if (isList) {
      const type = goType(exchange, 'List');
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${type})`,
      );
    }
    return partialMetadata(exchange, value, version);
  }
  if (!isList) {
    const type = goType(exchange, '');
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
    );
  }
  const items = memberObjects(value, 'items').map((item) =>
    partialMetadata(exchange, item, version),
  );
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: version,
    metadata: value['metadata'],
    items: items.length === 0 ? null : items,
  };
}

/** The metadata of an object alone (meta/v1 PartialObjectMetadata). */
export function partialMetadata(
  { endpoint }: ResourceExchange,
  object: KubernetesObject,
  apiVersion: string,
): KubernetesObject {
  const metadata = internalMetadata(endpoint, object);
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

// The internal type of an object, as the server prints it.
function goType({ endpoint }: ResourceExchange, suffix: string): string {
  const { group, kind } = endpoint.kind;
  if (endpoint.isCustom) return `*unstructured.Unstructured${suffix}`;
  return `*${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${kind}${suffix}`;
}
