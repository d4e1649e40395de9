import type { GroupVersionKind, GroupVersionResource } from '@kubeadmit/apimachinery';

/** A resource, as in discovery. */
export interface Resource extends GroupVersionResource, GroupVersionKind {
  /** Whether its objects are in namespaces. */
  readonly namespaced: boolean;
  /** Such as `deployment`. */
  readonly singular: string;
  /** Such as `deploy`. */
  readonly shortNames: readonly string[];
  /** Such as `all`. */
  readonly categories: readonly string[];
  /** Supported verbs, such as `get` and `watch`. */
  readonly verbs: readonly string[];
  /** Such as `status` and `scale`. */
  readonly subresources: readonly Subresource[];
  /** The definition that made the resource known; absent for built-in ones. */
  readonly definition?: string;
}

/** A subresource with the kind of the object in its requests. */
export interface Subresource extends GroupVersionKind {
  /** Such as `status`. */
  readonly name: string;
  /** Supported verbs. */
  readonly verbs: readonly string[];
  /** True where every verb is the HTTP method of a CONNECT. */
  readonly connect: boolean;
}
