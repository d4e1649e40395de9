import type { GroupVersionKind, JsonObject } from '@kubeadmit/apimachinery';
import type { FieldValidation } from './field-validation.ts';

/** How to decode. */
export interface DecodeOptions {
  /** Reports unknown fields as the server does for `fieldValidation`; `Ignore` (the default) reports nothing. */
  readonly fieldValidation?: FieldValidation;
  /** The time that a few defaults need, in RFC 3339; default the Unix epoch. */
  readonly now?: string | undefined;
  /**
   * The built-in kind to decode as (default: the object's own). The object must declare a kind in any case: one without
   * `kind` is an error.
   */
  readonly kind?: GroupVersionKind;
  /**
   * An object of the same built-in kind that decoding gave: the parts that the manifest shares with it
   * are taken over as they are, and the rest only is decoded. The result is the same, and shares them too.
   */
  readonly live?: JsonObject | undefined;
  /**
   * Whether the object is converted to the server's internal form and back, which changes a few kinds (default: true).
   * The result of mutating policies is converted only after the last of them, see `convertBack`.
   */
  readonly internal?: boolean;
}

/** The result of decoding a manifest. */
export interface Decoded {
  /** The object as the server holds it before admission; absent when it is refused. */
  readonly object?: JsonObject;
  /** The server's text of refusal. */
  readonly error?: string;
  /** With `Warn`, the server's warnings, such as `unknown field "spec.foo"`. */
  readonly warnings?: readonly string[];
  /** False where nothing is known about the kind, so that the object is as it was given. */
  readonly known: boolean;
}
