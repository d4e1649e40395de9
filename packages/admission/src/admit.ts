import type { AdmissionRequest, KubernetesObject, Status } from '@kubeadmit/engine';
import { diffJson, equalJson, type Json } from '@kubeadmit/mutator';
import { base64OfText } from './base64.ts';
import type { Cluster } from './cluster.ts';
import { decide } from './decide.ts';
import { jsonText, plainJson } from './json-text.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';
import type { PolicyTrace } from './trace.ts';

/** An AdmissionResponse of `admission.k8s.io/v1`. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Status;
  /** A JSON patch from the request's object to the result, in base64; absent when nothing changed. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** What happens to a request. */
export type AdmissionOutcome =
  | {
      readonly response: AdmissionResponse;
      /** The object as the server would hold it before admission. */
      readonly requested: KubernetesObject | null;
      /** The object after mutation; absent when the request is denied or has none. */
      readonly object?: KubernetesObject;
      readonly trace: readonly PolicyTrace[];
      readonly failure?: undefined;
    }
  /** The request cannot be read. */
  | { readonly failure: string };

/**
 * Runs a request through all mutating policies, once more where they ask for it, and then through all
 * validating ones, as kube-apiserver does.
 */
export function admit(cluster: Cluster, request: AdmissionRequest): AdmissionOutcome {
  const prepared = prepareRequest(cluster, request);
  return prepared.failure === undefined ? outcome(prepared) : prepared;
}

function outcome(prepared: PreparedRequest): AdmissionOutcome {
  const { uid, sent, attributes } = prepared;
  const { denial, object: decided, warnings, auditAnnotations, trace } = decide(prepared);
  const requested = attributes.object;
  const allowed = denial === undefined;
  const object = decided === requested ? decided : (plainJson(decided) as KubernetesObject | null);
  const isChanged =
    allowed && object !== requested && !equalJson(requested as Json, object as Json);
  const operations = isChanged ? diffJson(sent as Json, object as Json) : [];
  return {
    response: {
      uid,
      allowed,
      ...(denial === undefined ? {} : { status: denial }),
      ...(operations.length === 0
        ? {}
        : { patch: base64OfText(jsonText(operations)), patchType: 'JSONPatch' }),
      ...(auditAnnotations === undefined ? {} : { auditAnnotations }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    requested,
    ...(allowed && object !== null ? { object } : {}),
    trace,
  };
}
