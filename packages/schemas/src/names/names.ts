import type { GroupVersionKind, GroupVersionResource } from '@kubeadmit/apimachinery';

/** What discovery tells about a resource. */
export interface Resource extends GroupVersionResource, GroupVersionKind {
  readonly namespaced: boolean;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** The definition that made the resource known; absent for built-in ones. */
  readonly definition?: string;
}

/** A subresource with the kind of the object in its requests. */
export interface Subresource extends GroupVersionKind {
  readonly name: string;
  readonly verbs: readonly string[];
  /** True where every verb is the HTTP method of a CONNECT. */
  readonly connect: boolean;
}
