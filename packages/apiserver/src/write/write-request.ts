import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';

/** A write of one object. */
export interface WriteRequest {
  /** The verb of the Kubernetes API. */
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  /** The resource in the path of the request. */
  readonly resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  };
  /** Such as `status` or `scale`; default none. */
  readonly subresource?: string | undefined;
  /** Default the namespace of the object. */
  readonly namespace?: string | undefined;
  /** Default the name of the object. */
  readonly name?: string | undefined;
  /** The object of `create` and `update`. */
  readonly object?: KubernetesObject | undefined;
  /** The object as the server holds it, if it is not among its resources. */
  readonly oldObject?: KubernetesObject | undefined;
  /** The body of `patch`: a list for `json`, an object for the other types. */
  readonly patch?: unknown;
  /** `json`, `merge`, `strategic`, `apply` or the media type. */
  readonly patchType?: string | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions; `dryRun` is always `All`. */
  readonly options?: KubernetesObject | undefined;
  /** Default an administrator. */
  readonly user?: UserInfo | undefined;
}

/** The answer to a write. */
export interface WriteAnswer {
  /** Of HTTP. */
  readonly code: number;
  /** The Status of a refusal, or of the deletion of an object that is not returned. */
  readonly status?: Status | KubernetesObject | undefined;
  /** The warnings to the client, in order; absent if there are none. */
  readonly warnings?: readonly string[] | undefined;
  /** The object as it would be stored, without uid, resourceVersion, times and managedFields. */
  readonly object?: KubernetesObject | undefined;
}
