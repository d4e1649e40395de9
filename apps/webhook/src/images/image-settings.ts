/** A Secret of the cluster. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** How rules about images are evaluated. */
export interface ImageSettings {
  /** The trust root of Sigstore as JSON. */
  readonly trustRoot: string | undefined;
  /** A configuration file of Docker with credentials. */
  readonly registryConfig: string | undefined;
  /** Secrets of the cluster with credentials. */
  readonly pullSecrets: readonly SecretName[];
  /** Hosts, with their port, that are read by HTTP and may have any address. */
  readonly insecureRegistries: readonly string[];
  /** How long tags and lists of signatures are cached. */
  readonly cacheSeconds: number;
}
