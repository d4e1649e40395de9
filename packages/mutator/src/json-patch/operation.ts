/** A JSON value; integers beyond 2^53 are bigints. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  /** An object, by the names of its members. */
  | { readonly [key: string]: Json };

/**
 * One operation of a JSON patch as a policy computed it.
 *
 * It has only the members that the expression set; `undefined` in `op` and `path` means a
 * string that kube-apiserver cannot read back from JSON.
 */
export interface PatchOperation {
  /** One of RFC 6902; others are refused when they are applied. */
  readonly op: string | undefined;
  /** A pointer of RFC 6901. */
  readonly path: string | UnreadableText;
  /** Where `move` and `copy` take their value from. */
  readonly from?: string | UnreadableText;
  /** The value of `add`, `replace` and `test`. */
  readonly value?: Json;
}

/** A string that Go's quoting turns into invalid JSON: `character` follows the backslash. */
export interface UnreadableText {
  /** The character that follows the backslash. */
  readonly unreadable: string;
}

/** The result of a JSON patch. */
export type PatchResult =
  /** The patched document; the original is not modified. */
  | { readonly outcome: 'patched'; readonly document: Json }
  /** A `test` operation failed: nothing is changed, and this is not an error. */
  | { readonly outcome: 'testFailed' }
  /** The patch failed, with json-patch's message. */
  | { readonly outcome: 'error'; readonly message: string }
  /** kube-apiserver panics here, and the client sees an empty internal error. */
  | { readonly outcome: 'panic' };
