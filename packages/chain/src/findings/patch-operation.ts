/** One operation of a JSON patch. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}
