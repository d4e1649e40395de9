import { type DownloadLimits, RegistryClient, registryOrigin } from '@kubeadmit/images/remote';
import { credentialsFor, type Environment } from './credentials.ts';

/** Creates the client for a registry, with the credentials of `docker login`. */
export function registryClient(
  host: string,
  limits: DownloadLimits,
  env: Environment,
): RegistryClient {
  return new RegistryClient({
    origin: registryOrigin(host),
    limits,
    credentials: (name) => credentialsFor(name, env),
    missingCredentialsHint: (name) => `run \`docker login ${name}\``,
  });
}
