import { member } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { jsonObject, readText } from '@kubeadmit/files';
import { type Credentials, DownloadError, storedCredentials } from '@kubeadmit/images/remote';
import type { ApiClient } from '../cluster/api-client.ts';
import type { SecretName } from './image-settings.ts';

const secretMilliseconds = 60_000;

type DockerConfig = Readonly<Record<string, unknown>>;

/** The sources of credentials. */
export interface CredentialPlaces {
  /** A configuration file of Docker; it is read again for each use. */
  readonly file: string | undefined;
  readonly secrets: readonly SecretName[];
  /** Reads Secrets. */
  readonly client: Pick<ApiClient, 'find'> | undefined;
  readonly now: () => number;
}

interface KeptConfig {
  readonly config: Promise<DockerConfig>;
  readonly until: number;
}

/** The credentials for registries in a file and in Secrets of the cluster. */
export class RegistryCredentials {
  readonly #places: CredentialPlaces;
  readonly #kept = new Map<string, KeptConfig>();

  constructor(places: CredentialPlaces) {
    this.#places = places;
  }

  /**
   * Returns the credentials for a host, from the first Secret that has some, or from the file.
   *
   * @throws DownloadError if there are none and a Secret or the file cannot be read
   */
  async find(host: string): Promise<Credentials | undefined> {
    const { secrets, file } = this.#places;
    const problems: string[] = [];
    const sources = [
      ...secrets.map((secret) => ({
        from: `the Secret ${secret.namespace}/${secret.name}`,
        read: () => this.#secret(secret),
      })),
      ...(file === undefined ? [] : [{ from: file, read: async () => readConfig(file) }]),
    ];
    for (const { from, read } of sources) {
      try {
        const found = storedCredentials(await read(), host, from);
        if (found !== undefined) return found;
      } catch (error) {
        problems.push(`${from} cannot be read: ${errorText(error)}`);
      }
    }
    if (problems.length > 0) throw new DownloadError(problems.join('; '));
    return undefined;
  }

  #secret(secret: SecretName): Promise<DockerConfig> {
    const { now } = this.#places;
    const key = `${secret.namespace}/${secret.name}`;
    const known = this.#kept.get(key);
    if (known !== undefined && known.until > now()) return known.config;
    const config = this.#readSecret(secret);
    this.#kept.set(key, { config, until: now() + secretMilliseconds });
    // Waiting requests get the error; the next request reads again.
    config.catch(() => this.#kept.delete(key));
    return config;
  }

  async #readSecret({ namespace, name }: SecretName): Promise<DockerConfig> {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
    const secret = await this.#places.client?.find(path);
    if (secret === undefined) throw new Error('not found');
    const data = member(secret, 'data');
    const config = decoded(member(data, '.dockerconfigjson'));
    if (config !== undefined) return config;
    const auths = decoded(member(data, '.dockercfg'));
    if (auths !== undefined) return { auths };
    throw new Error('expected .dockerconfigjson or .dockercfg with a JSON object');
  }
}

function decoded(value: unknown): DockerConfig | undefined {
  return typeof value === 'string'
    ? jsonObject(Buffer.from(value, 'base64').toString('utf8'))
    : undefined;
}

function readConfig(file: string): DockerConfig {
  const config = jsonObject(readText(file));
  if (config === undefined) throw new Error('not a JSON object');
  return config;
}
