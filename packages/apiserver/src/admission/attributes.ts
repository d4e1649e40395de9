import {
  type Cluster,
  type PreparedRequest,
  prepareRequest,
  type RequestOptions,
} from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { badRequest } from '../errors/failures.ts';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { timeNow } from '../objects/metadata.ts';

/** The attributes of an admission request. */
export interface AdmissionAttributes {
  readonly endpoint: Endpoint;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly namespace: string;
  readonly name: string;
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  readonly options: KubernetesObject | null;
  readonly isDryRun: boolean;
}

/** The request as policies and webhooks see it (`admission.k8s.io/v1` AdmissionRequest). */
export function admissionRequest(
  { auditId, request }: Exchange,
  attributes: AdmissionAttributes,
): AdmissionRequest {
  const { endpoint, operation, namespace, name, object, oldObject, options, isDryRun } = attributes;
  const { group, version, resource } = endpoint.resource;
  const kind = kindOfRequest(endpoint);
  return {
    uid: auditId,
    kind,
    resource: { group, version, resource },
    ...(endpoint.subresource === undefined ? {} : { subResource: endpoint.subresource.name }),
    requestKind: kind,
    requestResource: { group, version, resource },
    ...(endpoint.subresource === undefined
      ? {}
      : { requestSubResource: endpoint.subresource.name }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: request.user,
    object,
    oldObject,
    dryRun: isDryRun,
    options,
  };
}

function kindOfRequest({ subresource, kind }: Endpoint): Endpoint['kind'] {
  if (subresource === undefined) return kind;
  const { group, version, kind: own } = subresource;
  return { group, version, kind: own };
}

/** Prepares a request for webhooks, or throws the 400 of an invalid one. */
export function prepare(
  exchange: Exchange,
  cluster: Cluster,
  attributes: AdmissionAttributes,
  options: RequestOptions = {},
): PreparedRequest {
  const prepared = prepareRequest(cluster, admissionRequest(exchange, attributes), options);
  if (prepared.failure !== undefined) throw badRequest(prepared.failure);
  return prepared;
}

/** Prepares a request for policies; its objects were decoded on arrival and are not decoded again. */
export function prepareHeld(
  exchange: Exchange,
  cluster: Cluster,
  attributes: AdmissionAttributes,
): PreparedRequest {
  const now = timeNow(exchange.machinery.options.clock);
  return prepare(exchange, cluster, attributes, { isHeld: true, now });
}
