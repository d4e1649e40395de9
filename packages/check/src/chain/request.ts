import { type PreparedRequest, plainJson, prepareRequest } from '@kubeadmit/admission';
import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { requireChain } from './arguments.ts';
import type { Chain } from './chain.ts';
import { timeOf } from './time.ts';

/** A request on its way through a chain, with its object as it is now. */
export interface ChainRequest {
  /** The policies that it is to pass. */
  readonly chain: Chain;
  /** The request as it was given. */
  readonly request: AdmissionRequest;
  /** The request as native policies see it, its objects decoded. */
  readonly prepared: PreparedRequest;
}

/**
 * Reads a request, or says why kube-apiserver could not.
 *
 * @throws TypeError when the first argument is no chain.
 */
export function readRequest(
  chain: Chain,
  request: AdmissionRequest,
): ChainRequest | { readonly failure: string } {
  requireChain('readRequest', chain);
  const prepared = prepareRequest(chain.cluster, request, { now: timeOf(chain.clock) });
  return prepared.failure === undefined ? { chain, request, prepared } : prepared;
}

/**
 * A request whose object is another one now, in the form in which native policies left it: they tell doubles from
 * integers.
 */
export function withObject(given: ChainRequest, held: KubernetesObject | null): ChainRequest {
  const { chain, request, prepared } = given;
  if (held === prepared.attributes.object) return given;
  const attributes = { ...prepared.attributes, object: held };
  const object = plainJson(held) as KubernetesObject | null;
  return { chain, request: { ...request, object }, prepared: { ...prepared, attributes } };
}

/** The request as a server sends it to webhooks: the object before is decoded, too, with what the server knows of it. */
export function withServedOld(
  request: AdmissionRequest,
  { attributes }: PreparedRequest,
): AdmissionRequest {
  const { oldObject } = attributes;
  return oldObject === null
    ? request
    : { ...request, oldObject: plainJson(oldObject) as JsonObject };
}
