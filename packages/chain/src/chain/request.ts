import { type PreparedRequest, plainJson, prepareRequest } from '@kubeadmit/admission';
import { metadataOf, withMetadata } from '@kubeadmit/admission/writes';
import { type JsonObject, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { timeOf } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { requireChain, requirePassOptions } from './arguments.ts';
import type { Chain } from './chain.ts';

/** A request on its way through a chain, with its current object. */
export interface ChainRequest {
  /** The policies that it is to pass. */
  readonly chain: Chain;
  /** The request as it was given. */
  readonly request: AdmissionRequest;
  /** The request as native policies see it, its objects decoded. */
  readonly prepared: PreparedRequest;
}

/** How a request is passed. */
export interface PassOptions {
  /**
   * Whether the objects are those that a client sends, such as manifests, and not those that a server sends to
   * webhooks; default false. See `RequestOptions.isOfClient` of `@kubeadmit/admission`.
   */
  readonly isOfClient?: boolean | undefined;
}

/**
 * Reads a request, or returns the reason why kube-apiserver could not.
 *
 * @throws TypeError if the first argument is not a chain.
 */
export function readRequest(
  chain: Chain,
  request: AdmissionRequest,
  options: PassOptions = {},
): ChainRequest | { readonly failure: string } {
  requireChain('readRequest', chain);
  requirePassOptions('readRequest', options);
  const { isOfClient } = options;
  const prepared = prepareRequest(chain.cluster, request, { now: timeOf(chain.clock), isOfClient });
  if (prepared.failure !== undefined) return prepared;
  return isOfClient === true ? withObjects(chain, request, prepared) : { chain, request, prepared };
}

// Kyverno's webhooks get the objects that the server made of the client's.
function withObjects(
  chain: Chain,
  request: AdmissionRequest,
  prepared: PreparedRequest,
): ChainRequest {
  const { object, oldObject } = prepared.attributes;
  const objects = {
    object: plainJson(object) as KubernetesObject | null,
    oldObject: plainJson(oldObject) as KubernetesObject | null,
  };
  return { chain, request: { ...request, ...objects }, prepared };
}

/**
 * Reads a request again after policies have changed its object. The server's work before mutating admission is not
 * repeated.
 */
export function readAgain(
  { chain, request, prepared }: ChainRequest,
  object: KubernetesObject,
): ChainRequest | { readonly failure: string } {
  const read = readRequest(chain, { ...request, object });
  if ('failure' in read) return read;
  const { isOfClient, attributes } = prepared;
  const { oldObject } = attributes;
  return {
    ...read,
    prepared: {
      ...read.prepared,
      isOfClient,
      isMutated: true,
      sent: prepared.sent,
      attributes: { ...read.prepared.attributes, oldObject },
    },
  };
}

/**
 * Returns a request with another object, in the form that native policies return: it distinguishes doubles from
 * integers.
 */
export function withObject(given: ChainRequest, held: KubernetesObject | null): ChainRequest {
  const { chain, request, prepared } = given;
  if (held === prepared.attributes.object) return given;
  const attributes = { ...prepared.attributes, object: held };
  const object = plainJson(held) as KubernetesObject | null;
  const named =
    prepared.isOfClient && !request.name ? { name: metadataString(object, 'name') } : {};
  return {
    chain,
    request: { ...request, ...named, object },
    prepared: { ...prepared, attributes, isMutated: true },
  };
}

/**
 * The request as a server sends it to webhooks: the old object is decoded, too, with the fields that the server sets.
 */
export function withServedOld(
  request: AdmissionRequest,
  { attributes }: PreparedRequest,
): AdmissionRequest {
  const { oldObject } = attributes;
  return oldObject === null
    ? request
    : { ...request, oldObject: plainJson(oldObject) as JsonObject };
}

/**
 * Returns the object as its manifest contains it, without the fields that the server set before mutating admission.
 * The object of other requests is returned unchanged.
 */
export function asWritten(
  { prepared: { isOfClient, sent } }: ChainRequest,
  object: KubernetesObject | null,
): KubernetesObject | null {
  if (!isOfClient || object === null || sent === null) return object;
  const { managedFields, resourceVersion } = metadataOf(sent);
  return withMetadata(object, { managedFields, resourceVersion });
}
