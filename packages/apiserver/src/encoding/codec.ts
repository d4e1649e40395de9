import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';

/** A media type that objects are read from and written in, beside JSON and YAML which are always there. */
export interface Codec {
  /** Such as `application/vnd.kubernetes.protobuf`. */
  readonly mediaType: string;
  /** Of watches, such as `application/vnd.kubernetes.protobuf;stream=watch`. */
  readonly streamMediaType: string;
  /** Whether objects of this kind can be written; others are written as JSON where the client takes it. */
  encodes(schemas: Schemas, object: KubernetesObject): boolean;
  /** The bytes of an object. */
  encode(schemas: Schemas, object: KubernetesObject): Uint8Array;
  /** As `encode`, one part of a long list after the other; absent where all lists are one part. */
  encodeParts?(schemas: Schemas, object: KubernetesObject): Iterable<Uint8Array>;
  /** One event of a watch, with its frame. */
  encodeEvent(
    schemas: Schemas,
    event: { readonly type: string; readonly object: KubernetesObject },
  ): Uint8Array;
  /**
   * Reads an object, with its apiVersion and kind; the error is the text that kube-apiserver gives.
   * `expected` is the kind of the URL, for bodies that do not say theirs.
   */
  decode(
    schemas: Schemas,
    bytes: Uint8Array,
    expected: { readonly apiVersion: string; readonly kind: string },
  ): { readonly object: KubernetesObject; readonly error?: undefined } | { readonly error: string };
}
