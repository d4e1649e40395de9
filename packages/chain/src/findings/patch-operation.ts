/** One operation of a JSON patch. */
export interface PatchOperation {
  /** `add`, `remove` or `replace`. */
  readonly op: string;
  /** A JSON pointer. */
  readonly path: string;
  /** The new value; absent for `remove`. */
  readonly value?: unknown;
}
