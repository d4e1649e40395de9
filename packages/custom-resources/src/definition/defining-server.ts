import type { Schemas } from '@kubeadmit/schemas';

/** What decides, besides a definition itself, whether a server takes it. */
export interface DefiningServer {
  /** What metadata looks like. */
  readonly schemas: Schemas;
  /** The server's minor version: new rules may use the libraries of the one before it. */
  readonly minor: number;
}
