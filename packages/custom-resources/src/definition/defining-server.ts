import type { Schemas } from '@kubeadmit/schemas';

/** The properties of a server that decide, in addition to a definition, whether the server accepts it. */
export interface DefiningServer {
  /** The schemas of metadata. */
  readonly schemas: Schemas;
  /** The server's minor version: new rules may use the libraries of the one before it. */
  readonly minor: number;
}
