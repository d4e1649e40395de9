import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { notAcceptableForm } from '../errors/failures.ts';
import { internalMetadata } from '../kinds/template-generation.ts';
import type { ResourceExchange } from '../machinery.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
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
      throw notAcceptableForm(
        `you requested PartialObjectMetadata, but the requested object is a list (${type})`,
      );
    }
    return partialMetadata(exchange, value, version);
  }
  if (!isList) {
    const type = goType(exchange, '');
    throw notAcceptableForm(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
    );
  }
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: version,
    metadata: value['metadata'],
    items: nullIfEmpty(
      (value['items'] as readonly KubernetesObject[]).map((item) =>
        partialMetadata(exchange, item, version),
      ),
    ),
  };
}

function nullIfEmpty<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
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
