import { internalMetadata } from '@kubeadmit/admission/writes';
import { formatGroupVersion, type KubernetesObject } from '@kubeadmit/apimachinery';
import { badRequest } from '../errors/failures.ts';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf } from '../objects/metadata.ts';
import type { Column } from './columns.ts';
import { customColumns } from './custom-columns.ts';
import { kindColumns } from './kind-columns.ts';
import { podConditions } from './pod-conditions.ts';

/** How a table is made. */
export interface TableOptions {
  readonly apiVersion: string;
  /** Whether the columns are described; later events of a watch leave that out. */
  readonly hasColumns: boolean;
}

/** An object or list as a table (meta/v1 Table). */
export function tableOf(
  exchange: ResourceExchange,
  value: KubernetesObject,
  { apiVersion, hasColumns }: TableOptions,
): KubernetesObject {
  const include = includeObject(exchange);
  const { machinery, endpoint } = exchange;
  const columns = endpoint.isCustom
    ? customColumns(machinery, endpoint)
    : kindColumns(endpoint.kind.kind);
  const isList = Array.isArray(value['items']);
  const objects = isList ? (value['items'] as readonly KubernetesObject[]) : [value];
  const now = machinery.options.clock.now();
  const metadata = isList
    ? value['metadata']
    : { resourceVersion: metadataOf(value).resourceVersion ?? '' };
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: hasColumns ? columns.map(definitionOf) : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, now)),
      ...rowConditions(object, endpoint),
      ...rowObject(object, { include, apiVersion, endpoint }),
    })),
  };
}

type Include = 'Metadata' | 'Object' | 'None';

function includeObject({ request }: ResourceExchange): Include {
  const given = request.query.get('includeObject') || 'Metadata';
  if (given === 'Metadata' || given === 'Object' || given === 'None') return given;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(given)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

function definitionOf({ name, type, format, description, priority }: Column): KubernetesObject {
  return { name, type, format, description, priority };
}

function rowConditions(object: KubernetesObject, { kind, isCustom }: Endpoint): KubernetesObject {
  const conditions = kind.kind === 'Pod' && !isCustom ? podConditions(object) : undefined;
  return conditions === undefined ? {} : { conditions };
}

function rowObject(
  object: KubernetesObject,
  {
    include,
    apiVersion,
    endpoint,
  }: { readonly include: Include; readonly apiVersion: string; readonly endpoint: Endpoint },
): { readonly object: KubernetesObject | null } {
  if (include === 'None') return { object: null };
  // Items of lists do not say their kind.
  if (include === 'Object') {
    const { kind } = endpoint;
    return { object: { kind: kind.kind, apiVersion: formatGroupVersion(kind), ...object } };
  }
  const metadata = internalMetadata(endpoint, object);
  return { object: { kind: 'PartialObjectMetadata', apiVersion, metadata } };
}
