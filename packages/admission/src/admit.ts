import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { deepEqual, encodeBase64, stringifyJson } from '@kubeadmit/go';
import { diffJson, type Json } from '@kubeadmit/mutator';
import { requireCluster, requireRequestOptions } from './arguments.ts';
import type { Cluster } from './cluster.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { orFailure } from './or-failure.ts';
import { type PreparedRequest, prepareRequest, type RequestOptions } from './prepare-request.ts';
import type { PolicyTrace } from './trace.ts';
import { plainJson } from './write/plain-json.ts';

/** An AdmissionResponse of `admission.k8s.io/v1`. */
export interface AdmissionResponse {
  /** The `uid` of the request. */
  readonly uid: string;
  /** Whether the request continues. */
  readonly allowed: boolean;
  /** Why it does not, as the client sees it; absent where it is allowed. */
  readonly status?: Status;
  /** A JSON patch from the request's object to the result, in base64; absent when nothing changed. */
  readonly patch?: string;
  /** Absent without `patch`. */
  readonly patchType?: 'JSONPatch';
  /** The audit annotations by key; absent if there are none. */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** The warnings for the client; absent if there are none. */
  readonly warnings?: readonly string[];
}

/** The result of a request that could be read. */
export interface AdmissionAnswer {
  /** The response that kube-apiserver would send. */
  readonly response: AdmissionResponse;
  /** The object as the server would hold it before admission. */
  readonly requested: KubernetesObject | null;
  /** The object after mutation; absent when the request is denied or has none. */
  readonly object?: KubernetesObject;
  /** The trace of each policy, in evaluation order. */
  readonly trace: readonly PolicyTrace[];
  /** The trace of the admission plugins that acted; absent without plugins beside policies. */
  readonly pluginTrace?: Decision['pluginTrace'];
  /** The objects that plugins store beside an allowed request; absent without plugins beside policies. */
  readonly pluginWrites?: Decision['pluginWrites'];
  /** Absent: the request was one. */
  readonly failure?: undefined;
}

/** The result of a request. */
export type AdmissionOutcome =
  | AdmissionAnswer
  /** The value is not a valid request, or its objects cannot be decoded; no decision is made. */
  | { readonly failure: string };

/**
 * Runs a request through admission as kube-apiserver does.
 *
 * The mutating policies run first, with a second pass if a policy asks for reinvocation. A custom resource is then
 * checked against its definition, and the validating policies run. An invalid or undecodable request returns a
 * `failure` without a decision.
 *
 * @throws TypeError if the first argument is not a cluster, or the options are invalid
 */
export function admit(
  cluster: Cluster,
  request: AdmissionRequest,
  options?: RequestOptions,
): AdmissionOutcome {
  requireCluster('admit', cluster);
  requireRequestOptions('admit', options);
  return orFailure(request, () => {
    const prepared = prepareRequest(cluster, request, options);
    return prepared.failure === undefined ? respond(prepared, decide(prepared)) : prepared;
  });
}

/**
 * Converts a decision about a request to an AdmissionResponse.
 *
 * @param plain writes the object; default as the server stores it
 */
export function respond(
  prepared: PreparedRequest,
  decision: Decision,
  plain: (object: KubernetesObject | null) => unknown = plainJson,
): AdmissionAnswer {
  const { uid, sent, attributes } = prepared;
  const { denial, object: decided, warnings, auditAnnotations, trace } = decision;
  const { pluginTrace, pluginWrites } = decision;
  const requested = attributes.object;
  const allowed = denial === undefined;
  const object = decided === requested ? decided : (plain(decided) as KubernetesObject | null);
  const isChanged =
    allowed && object !== requested && !deepEqual(requested as Json, object as Json);
  const operations = isChanged ? diffJson(sent as Json, object as Json) : [];
  return {
    response: {
      uid,
      allowed,
      ...(denial === undefined ? {} : { status: denial }),
      ...(operations.length === 0
        ? {}
        : { patch: encodeBase64(stringifyJson(operations)), patchType: 'JSONPatch' }),
      ...(auditAnnotations === undefined ? {} : { auditAnnotations }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    requested,
    ...(allowed && object !== null ? { object } : {}),
    trace,
    ...(pluginTrace === undefined ? {} : { pluginTrace, pluginWrites }),
  };
}
